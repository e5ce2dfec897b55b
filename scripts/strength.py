#!/usr/bin/env python3
"""Plays `auto` against programs from outside and prints the table of docs/experiments/strength.md.

    scripts/strength.py [--ludex PATH] [--games N] [--time T] [--only GAME]

Programs that speak GTP are told whole seconds only, and may take longer: they play at their level.
The programs are Debian packages: stockfish, fairy-stockfish, gnuchess, phalanx, gnugo, grhino, gpsshogi.
What is not installed is left out, with a line that says so.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys

FAIRY = "cmd:fairy-stockfish,protocol=uci,option.Threads=1,option.Hash=64,nodes={}"
STOCKFISH = "cmd:stockfish,option.Threads=1,option.Hash=64,option.UCI_LimitStrength=true,option.UCI_Elo={}"
GNUGO = "cmd:gnugo --mode gtp --level {} --chinese-rules --positional-superko --capture-all-dead,margin=60s"

# Game, what the opponent is called, its program, its SPEC.
OPPONENTS = (
    [("chess", f"Stockfish, UCI_Elo {it}", "stockfish", STOCKFISH.format(it)) for it in (1350, 1600, 1900)]
    + [
        ("chess", "GNU Chess, depth 2", "gnuchess", "cmd:gnuchess --uci,depth=2"),
        ("chess", "GNU Chess", "gnuchess", "cmd:gnuchess --uci"),
    ]
    + [("othello", f"Rhino, level {it}", "gtp-rhino", f"cmd:gtp-rhino -l {it},protocol=gtp,margin=60s") for it in range(1, 6)]
    + [("go:9", f"GNU Go, level {it}", "gnugo", GNUGO.format(it)) for it in (1, 10)]
    + [
        (game, f"Fairy-Stockfish, {nodes:,} nodes", "fairy-stockfish", FAIRY.format(nodes))
        for game in ("breakthrough", "xiangqi", "minishogi")
        for nodes in (1_000, 10_000)
    ]
)


def installed(program):
    """Whether a program is there; games are often not in the usual path."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games", "/usr/local/games"])
    return shutil.which(program, path=path) is not None


def played(args, game, spec):
    """The line of `auto` in the table of a match."""
    command = [args.ludex, "match", game, "auto", spec, "--games", str(args.games), "--time", args.time]
    command += ["--openings", "2", "--seed", str(args.seed), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{game}, {spec}: {done.stderr.strip()}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


def row(game, title, match):
    """A line of the table."""
    mine = match["table"][0]
    rate = mine["rate"]
    score = f"{mine['wins']} : {mine['losses']}" + (f" ({mine['draws']} drawn)" if mine["draws"] else "")
    faults = sum(1 for it in match["games"] if it["end"] not in ("rules", "length"))
    return f"| {game} | {title} | {score} | {100 * rate['value']:.0f} % | {100 * rate['low']:.0f} to {100 * rate['high']:.0f} % | {faults or ''} |"


def main():
    """Plays everything, one match after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ludex", default="target/release/ludex")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--time", default="200ms")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="only games whose name begins so")
    args = parser.parse_args()
    print("| game | opponent | won : lost | `auto` | 95 % | ended otherwise than by the rules |")
    print("| --- | --- | --- | --: | --- | --: |", flush=True)
    for game, title, program, spec in OPPONENTS:
        if not game.startswith(args.only):
            continue
        if not installed(program):
            print(f"skipped: {program} is not installed", file=sys.stderr)
            continue
        match = played(args, game, spec)
        if match is not None:
            print(row(game, title, match), flush=True)


if __name__ == "__main__":
    main()
