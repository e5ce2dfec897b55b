#!/usr/bin/env python3
"""Which chess mates are found by checks alone.

    python3 scripts/mates_by_checks.py target/release/ludex mates.tsv [--nodes 100000]

The file has a position, a number of moves and one line that mates, with tabs between them (see
`ludex suite`). Mates whose line is all checks are put to `ludex solve --method threats --order 1`; the
others are only counted. Needs the package `chess`, to see what is a check.
"""

import argparse
import collections
import json
import subprocess

import chess


def all_checks(position, line):
    """Whether every move of the player to move gives check."""
    board = chess.Board(position + " 0 1")
    attacker = board.turn
    for move in line.split():
        mover = board.turn
        board.push_uci(move)
        if mover == attacker and not board.is_check():
            return False
    return True


def solved(ludex, position, nodes):
    """The value, and in how many plies at the latest."""
    command = [ludex, "solve", "chess", "--method", "threats", "--order", "1", "--json"]
    command += ["--nodes", str(nodes), "--position", position + " 0 1"]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    return answer["value"], answer["within"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ludex")
    parser.add_argument("file")
    parser.add_argument("--nodes", type=int, default=100_000)
    args = parser.parse_args()
    with open(args.file, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    checks = [row for row in rows if all_checks(row[0], row[2])]
    found, shortest, wrong = collections.Counter(), collections.Counter(), 0
    for position, moves, _ in checks:
        value, plies = solved(args.ludex, position, args.nodes)
        found[moves] += value == "win"
        shortest[moves] += value == "win" and plies == 2 * int(moves) - 1
        wrong += value == "loss"
    wanted = collections.Counter(moves for _, moves, _ in checks)
    print(f"{len(rows)} mates, {len(checks)} by checks alone; {wrong} called lost")
    print("in  of  found  as short as known")
    for moves in sorted(wanted, key=int):
        print(f"{moves:>2} {wanted[moves]:>3} {found[moves]:>6} {shortest[moves]:>6}")
    print(f"   {sum(wanted.values()):>3} {sum(found.values()):>6} {sum(shortest.values()):>6}")


if __name__ == "__main__":
    main()
