#!/usr/bin/env python3
"""The trials that the Phutball paper tells of, played out: which evaluations failed and which worked.

    cargo build --release
    scripts/phutball_trials.py > docs/experiments/phutball-trials.md

Each trial makes player files of players/phutball/template.player (or platon.player) with another
evaluation, lets them play the programs that the teams were given, from both sides, and prints a table. The
programs are limited by depth and play the first of equal moves, so that everything comes out the same every time.
"""

import argparse
import json
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLAYERS = ROOT / "players" / "phutball"


class Bench:
    """Runs the program and keeps the player files of the trials."""

    def __init__(self, ludex, folder):
        self.ludex, self.folder = ludex, Path(folder)

    def run(self, *arguments):
        done = subprocess.run([self.ludex, *arguments, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        return json.loads(done.stdout.strip().splitlines()[-1])

    def player(self, name, text):
        """A player file; its path."""
        path = self.folder / f"{name}.player"
        path.write_text(text)
        return str(path)

    def judging(self, name, depth, evaluate):
        """The template with another evaluation."""
        text = (PLAYERS / "template.player").read_text()
        text = re.sub(r"^search .*$", f"search alphabeta-plain depth={depth} ends=file exact=no unit=1 trust=yes", text, flags=re.M)
        begin, end = text.index("evaluate for side"), text.index("# The eight steps")
        won = "\n".join([
            "evaluate for side",
            "  let b = ball_point()",
            "  if b == right: return infinity * sign()",
            "  if b == left: return -infinity * sign()",
        ])
        return self.player(name, text[:begin] + won + "\n" + evaluate.strip("\n") + "\n\n" + text[end:])

    def games(self, one, other, openings="none"):
        """One game from each side; the first player is `one` in the first of them."""
        said = self.run(
            "match", "phutball", one, other, "--games", "2", "--openings", openings, "--balanced", "no", "--longest", "200"
        )
        return said["games"]

    def result(self, one, other):
        """`won` or `lost` as Left and as Right, with the length of the games."""
        words = {1.0: "won", 0.5: "drawn", 0.0: "lost"}
        texts = []
        for number, game in enumerate(self.games(one, other)):
            points = game["points"] if number == 0 else 1 - game["points"]
            texts.append(f"{words[points]} ({len(game['moves'])})")
        return texts


def table(bench, rows, opponents):
    """A row for each player, two columns for each opponent."""
    print("| | " + " | ".join(f"{it}: as Left | as Right" for it in opponents) + " |")
    print("| --- |" + " --- | --- |" * len(opponents))
    for label, player in rows:
        cells = [cell for it in opponents for cell in bench.result(player, f"phutball/{it.lower()}")]
        print(f"| {label} | " + " | ".join(cells) + " |", flush=True)
    print()


def heading(text):
    print(f"## {text}\n")


HALVES = """
  let ahead = 0
  let behind = 0
  for a in stone & all
    if a.file * 2 > columns + 1: ahead += 1
    elif a.file * 2 < columns + 1: behind += 1
  if side == Left: return %d * ahead - %d * behind
  return %d * behind - %d * ahead
"""

BESIDE_BALL = """
  let ahead = 0
  let behind = 0
  for a in stone & all
    if a.file > b.file: ahead += 1
    elif a.file < b.file: behind += 1
  return (ahead - behind) * sign()
"""

SPAN = """
  let low = b.file
  let high = b.file
  for e in landings(b, longest(b)) & all
    low = min(low, e.file)
    high = max(high, e.file)
"""


def men(bench):
    heading("Counting men")
    print(
        "Platon's team wanted as many men as possible on the other's side of the board and as few as possible on its own; Lao-Tseu's\n"
        "counted men to both sides of the ball. Three plies, the moves of the example program. In the paper all of these failed.\n"
    )
    rows = [
        ("men beyond the middle +10, before it −10", bench.judging("men10", 3, HALVES % (10, 10, 10, 10))),
        ("the same +200, −100", bench.judging("men200", 3, HALVES % (200, 100, 200, 100))),
        ("men on the far side of the ball less the others", bench.judging("beside", 3, BESIDE_BALL)),
    ]
    table(bench, rows, ["Simplet", "Introspect"])
    print(own_way(bench, rows[2][1]))


def own_way(bench, player):
    """How often a player jumps towards its own goal."""
    told = []
    for number, game in enumerate(bench.games(player, "phutball/introspect")):
        back, jumps = backward(game["moves"], number, [-1, 1][number])
        told.append(f"{jumps} times as {['Left', 'Right'][number]}, {back} of them towards its own goal")
    return f"Against Introspect the last of them jumps {' and '.join(told)}.\n"


def column(point):
    return {"left": 0, "right": 20}.get(point, ord(point[0]) - ord("a") + 1)


def points_of(move):
    return re.findall(r"left|right|[a-z]\d+", move)


def backward(moves, first, towards):
    """How many jumps of one player go towards a side, and how many there are."""
    jumps = [points_of(it) for it in moves[first::2]]
    jumps = [it for it in jumps if len(it) > 1]
    return sum((column(it[-1]) - column(it[0])) * towards > 0 for it in jumps), len(jumps)


def reach(bench):
    heading("How far the ball could go")
    print(
        "Socrate's team began with *max − min + a · ball* (the columns that the ball could reach, and its own), and found that *max + min* is what they\n"
        "meant, best with a = 0; a weight on max was no better. Four plies, against the better one of the programs that were given, and against Simplet.\n"
    )
    rows = []
    for label, value in [
        ("max − min", "high - low"),
        ("max − min + ball", "high - low + b.file"),
        ("max + min", "high + low"),
        ("max + min + ball", "high + low + b.file"),
        ("max + min + 4 · ball", "high + low + 4 * b.file"),
        ("2 · max + min", None),
    ]:
        if value is None:
            last = "  if side == Left: return 2 * high + low\n  return -(high + 2 * low)\n"
        else:
            last = f"  return ({value}) * sign()\n"
        name = re.sub(r"\W+", "-", label.replace("−", "less").replace("+", "and").replace("·", "x"))
        rows.append((label, bench.judging(name, 4, SPAN + last)))
    table(bench, rows, ["Introspect", "Simplet"])


def policy(bench):
    heading("The one good move")
    print(
        "Platon's team then wrote down the move they would play. Without a search it overlooks what happens near the border; with a search that grants\n"
        "the opponent nothing but the same kind of move it overlooks defences; with all moves of the opponent it won the tournament.\n"
    )
    text = (PLAYERS / "platon.player").read_text()
    begin = text.index("  for b in ball & all\n    let most = longest(b)\n    if depth")
    same = text[:begin] + "  for b in ball & all\n    policy(b)\n    jumps(b, b, longest(b), [])\n"
    same = same.replace("if side == Left", "if me == Left").replace("function sign(): int\n  if me == Left", "function sign(): int\n  if side == Left")
    rows = [
        ("the move alone, one ply", "phutball/platon:depth=1"),
        ("six plies, the opponent has the same kind of move", bench.player("obligatory", same)),
        ("six plies, the opponent has all moves nearby: Platon", "phutball/platon"),
    ]
    table(bench, rows, ["Introspect", "Socrate", "Lao-Tseu"])


HANGER_ON = '''\
player "Hanger-on" for phutball

search alphabeta-plain depth=1 ends=file exact=no unit=1

# A stone behind the ball, where the opponent comes from; one who can score does.
evaluate for side
  if side == Left and any ball & (file(columns) | right): return 1
  if side == Right and any ball & (file(1) | left): return 1
  return 0

candidates
  for b in ball & all
    let c = b + west
    if me == Left: c = b + east
    move put stone on c weight 1
'''


def hanger_on(bench):
    heading("A stone behind him each time he advances")
    print(
        "Lao-Tseu's team beat Simplet by hand: each time he advances, put a stone behind him to hold on to. As a program of one ply, which scores if it\n"
        "can, puts the stone if the point is empty and else plays anything; beside it Lao-Tseu's own evaluation at other depths.\n"
    )
    rows = [("the stone behind", bench.player("hanger-on", HANGER_ON))]
    rows += [(f"Lao-Tseu, {depth} {'ply' if depth == 1 else 'plies'}", f"phutball/lao-tseu:depth={depth}") for depth in (1, 2, 3)]
    table(bench, rows, ["Simplet", "Introspect"])


def eating(bench):
    heading("Simplet eats the stone beside the ball")
    print("| Simplet plays | against | jumps | towards its own goal | result |\n| --- | --- | --: | --: | --- |")
    for opponent in ("platon", "lao-tseu"):
        for number, game in enumerate(bench.games("phutball/simplet", f"phutball/{opponent}")):
            side, first, towards = [("Left", 0, -1), ("Right", 1, 1)][number]
            back, jumps = backward(game["moves"], first, towards)
            points = game["points"] if number == 0 else 1 - game["points"]
            result = {1.0: "won", 0.5: "drawn", 0.0: "lost"}[points]
            print(f"| {side} | {opponent} | {jumps} | {back} | {result} in {len(game['moves'])} |", flush=True)
    print("\nAll moves look the same to it, as the opponent can play the same jump anyway, and jumps come first in its list.\n")


def row_position(row, mover):
    """A position with one row of men in the middle of the board."""
    empty = ["19"] * 19
    text = re.sub(r"\.+", lambda it: str(len(it.group())), row)
    empty[9] = text
    return "/".join(empty) + " " + mover


def verdict(line):
    if line["value"] >= 0.85:
        return "won"
    return "lost" if line["value"] <= -0.85 else "open"


def must_eat(bench):
    heading("Where one must eat")
    row = "....o.o.o@o.o.o.o.."
    print(f"`{' '.join(row[2:17]).replace('.', '+')}`: here one must eat, says Platon's team. Archimedes' verdict on the moves, four plies ahead:\n")
    print("| to move | best | of the chains of jumps | of the stones |\n| --- | --- | --- | --- |")
    for mover, name in (("l", "Left"), ("r", "Right")):
        said = bench.run(
            "analyse", "phutball", "--position", row_position(row, mover), "--player", "phutball/archimedes:exact=yes,depth=4", "--lines", "400"
        )
        kinds = {True: {}, False: {}}
        for line in said["lines"]:
            count = kinds[len(points_of(line["move"])) > 1]
            count[verdict(line)] = count.get(verdict(line), 0) + 1
        told = [", ".join(f"{n} {word}" for word, n in sorted(kinds[it].items())) for it in (True, False)]
        print(f"| {name} | `{said['best']}` ({verdict(said['lines'][0])}) | {told[0]} | {told[1]} |", flush=True)
    opening = bench.folder / "eat.txt"
    eaten = "...@......o.o.o.o.."
    lines = [f"position: {row_position(row, 'l')}", f"position: {row_position(eaten, 'r')}"]
    print("\nPlayed out between Platon and Platon, and between Archimedes and Archimedes, Left to move first; and after the three jumps to the left,\nRight to move:\n")
    print("| from | players | winner |\n| --- | --- | --- |")
    for text, label in zip(lines, ("the position", "after eating")):
        opening.write_text(text + "\n")
        for who in ("platon", "archimedes"):
            game = bench.games(f"phutball/{who}", f"phutball/{who}:exact=no", str(opening))[0]
            last = column(points_of(game["moves"][-1])[-1])
            winner = "Left" if last >= 19 else "Right" if last <= 1 else "nobody"
            print(f"| {label} | {who} | {winner} in {len(game['moves'])} |", flush=True)
    print()


def third_line(bench):
    heading("A ball alone on the third line")
    print("Nothing on the board but the ball, on the third column before Left's goal. What Archimedes sees (a win of Left is won for either player to move):\n")
    print("| row | Left to move | Right to move |\n| --: | --- | --- |")
    for row in (1, 2, 3, 4, 6, 10):
        told = []
        for mover in "lr":
            rows = ["19"] * 19
            rows[19 - row] = "16@2"
            said = bench.run("analyse", "phutball", "--position", "/".join(rows) + " " + mover, "--player", "phutball/archimedes")
            told.append(verdict(said["lines"][0]))
        print(f"| {row} | {told[0]} | {told[1]} |", flush=True)
    print()


TRIALS = [men, reach, policy, hanger_on, eating, must_eat, third_line]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ludex", default=str(ROOT / "target/release/ludex"), help="the program")
    parser.add_argument("trials", nargs="*", help="which ones (all): " + ", ".join(it.__name__ for it in TRIALS))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args.ludex, folder)
        print("# The trials of the Phutball paper\n\nMade by `scripts/phutball_trials.py`; numbers in brackets are plies. "
              "See [phutball.md](phutball.md) for the tournament.\n")
        for trial in TRIALS:
            if not args.trials or trial.__name__ in args.trials:
                trial(bench)


if __name__ == "__main__":
    main()
