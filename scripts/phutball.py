#!/usr/bin/env python3
"""The Phutball tournament of 1999, played again: our table beside the published one.

    cargo build --release
    scripts/phutball.py                     the seven programs, five minutes for each player of a game
    scripts/phutball.py --clock 1m          a shortened clock
    scripts/phutball.py --archimedes        with Kant as it was meant and our own player added
    scripts/phutball.py --markdown          the tables as docs/experiments/phutball.md has them

Games and standings are kept in a folder (--folder): a run that was broken off goes on where it was.
The programs are limited by their depth, and the clock only has to be long enough not to get in the way.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main():
    args = arguments()
    plan = plan_file(args)
    command = [args.ludex, "tournament", str(plan), "--folder", str(args.folder)]
    if args.markdown:
        command.append("--json")
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    print(markdown(json.loads(done.stdout)) if args.markdown else done.stdout, end="")
    slowest = slowest_move(args.folder)
    if slowest:
        print("the longest thought: {:.1f} s, by {}".format(*slowest))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ludex", default=str(ROOT / "target/release/ludex"), help="the program")
    parser.add_argument("--clock", default="5m", help="for each player and game (5m)")
    parser.add_argument("--archimedes", action="store_true", help="add our own player")
    parser.add_argument("--folder", type=Path, help="where the games are kept")
    parser.add_argument("--markdown", action="store_true", help="tables in Markdown")
    args = parser.parse_args()
    if args.folder is None:
        kind = "archimedes" if args.archimedes else "berder"
        args.folder = Path(f"phutball-{kind}-{args.clock}.run")
    return args


def plan_file(args):
    """The tournament file, with the clock that was asked for."""
    name = "phutball-archimedes.txt" if args.archimedes else "phutball.txt"
    text = (ROOT / "tournaments" / name).read_text()
    lines = [f"clock {args.clock}" if it.startswith("clock") else it for it in text.splitlines()]
    args.folder.mkdir(parents=True, exist_ok=True)
    plan = args.folder / "tournament.txt"
    plan.write_text("\n".join(lines) + "\n")
    return plan


def markdown(report):
    """The standings and the cross-table: a row for Left, a column for Right."""
    standings = report["standings"]
    lines = ["| | ours | paper | won | drawn | lost |", "| --- | --: | --: | --: | --: | --: |"]
    for it in standings:
        paper = "" if it["published"] is None else f"{it['published']:g}"
        lines.append(f"| {it['player']} | {it['points']:g} | {paper} | {it['wins']} | {it['draws']} | {it['losses']} |")
    names = [it["player"] for it in standings]
    cells = {}
    for game in report["games"]:
        mark = {1.0: "2", 0.5: "1", 0.0: "0"}[game["points"]]
        cells[game["first"], game["second"]] = f"{mark} ({game['moves']})"
    lines += ["", "| Left \\ Right | " + " | ".join(names) + " |", "| --- |" + " --: |" * len(names)]
    for row in names:
        lines.append(f"| {row} | " + " | ".join(cells.get((row, it), "") for it in names) + " |")
    if not report["complete"]:
        lines += ["", f"{report['played']} of {report['expected']} games"]
    return "\n".join(lines) + "\n"


def slowest_move(folder):
    """The longest time that anybody thought about a move, and who it was."""
    slowest = None
    for record in sorted(Path(folder).glob("games/*.txt")):
        text = record.read_text()
        players = text.split("players:", 1)[1].splitlines()[0].strip()
        for part in text.split("time=")[1:]:
            seconds = float(part.split()[0].rstrip("}"))
            if slowest is None or seconds > slowest[0]:
                slowest = (seconds, players)
    return slowest


if __name__ == "__main__":
    main()
