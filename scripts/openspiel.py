#!/usr/bin/env python3
"""Simulations a second of UCT: ours, from rules files, beside OpenSpiel's C++, in one run.

    python3 -m venv /tmp/openspiel && /tmp/openspiel/bin/pip install open_spiel
    cargo build --release
    /tmp/openspiel/bin/python scripts/openspiel.py [--seconds 3] [--rounds 3] [GAME ...]

Both search from the start of the game with UCT, one thread and one random playout for each
simulation, and both for so many seconds; the searches take turns so that what else the machine does
meets both, and the best round of each counts. OpenSpiel's search is its MCTSBot with
RandomRolloutEvaluator, all of it C++. What counts as a move differs a little (a jump of several
men in checkers is several moves there), but a simulation is a game to its end in both.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

# Our name and OpenSpiel's.
GAMES = {
    "breakthrough": "breakthrough",
    "othello": "othello",
    "loa": "lines_of_action",
    "gomoku:15": "gomoku(size=15)",
    "chess": "chess",
    "checkers": "checkers",
}


def theirs(pyspiel, name, seconds):
    """Simulations a second of OpenSpiel's search."""
    game = pyspiel.load_game(name)
    simulations = 64
    while True:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2**0.5, simulations, 4000, False, 1, False)
        before = time.perf_counter()
        bot.mcts_search(game.new_initial_state())
        took = time.perf_counter() - before
        if took >= seconds:
            return simulations / took
        # Its bot is told simulations, not seconds: they are doubled until it takes long enough.
        simulations = int(simulations * min(8, max(2, 1.1 * seconds / max(took, 1e-3))))


def ours(program, name, seconds):
    """Simulations a second of our search."""
    command = [program, "analyse", name, "--player", "uct", "--time", f"{seconds}s", "--json"]
    command += ["--engine", "native", "--memory", "4G"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    last = json.loads(output.strip().splitlines()[-1])
    return last["nodes"] / last["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)}")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=3)
    root = Path(__file__).resolve().parent.parent
    parser.add_argument("--program", default=str(root / "target" / "release" / "ludex"))
    args = parser.parse_args()
    unknown = [name for name in args.games if name not in GAMES]
    if unknown:
        parser.error(f"no game {unknown[0]!r}; there are {', '.join(GAMES)}")
    if not Path(args.program).exists():
        parser.error(f"there is no {args.program}: `cargo build --release` makes it")
    try:
        import pyspiel
    except ImportError:
        sys.exit("OpenSpiel is missing: pip install open_spiel")
    print("| game | ours, simulations/s | OpenSpiel | ratio |")
    print("| --- | ---: | ---: | ---: |")
    for name in args.games or GAMES:
        best = [0.0, 0.0]
        for _ in range(args.rounds):
            best[0] = max(best[0], ours(args.program, name, args.seconds))
            best[1] = max(best[1], theirs(pyspiel, GAMES[name], args.seconds))
        print(f"| {name} | {best[0]:,.0f} | {best[1]:,.0f} | {best[0] / best[1]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
