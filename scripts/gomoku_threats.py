#!/usr/bin/env python3
"""Which wins of a set of renju problems are wins of gomoku, by threats.

    python3 scripts/gomoku_threats.py target/release/ludex renju_vcf_vct.txt [--order 1] [--nodes 300000]

A problem is a line `[name] attacker=Black kind=VCF …`, other lines, and fifteen rows of `.`, `o` (Black)
and `x` (White). Renju forbids Black some moves and gomoku does not, so the attacker may have more
ways to win, and the defender as well: what is proved here is proved by the rules of gomoku.
"""

import argparse
import json
import re
import subprocess


def problems(path):
    """Name, kind, attacker and rows of each problem."""
    head, rows = None, []
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines() + [""]:
            found = re.match(r"\[(.*)\] attacker=(\w+) kind=(\w+)", line)
            if found:
                head, rows = found.groups(), []
            elif re.fullmatch(r"[.ox]{15}", line):
                rows.append(line)
            if head and len(rows) == 15:
                yield head, rows
                head, rows = None, []


def position(rows, attacker):
    """As `ludex show` writes it."""
    packed = []
    for row in rows:
        men = row.replace("x", "O").replace("o", "X")
        packed.append(re.sub(r"\.+", lambda it: str(len(it.group())), men))
    return "/".join(packed) + (" b" if attacker == "Black" else " w")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ludex")
    parser.add_argument("file")
    parser.add_argument("--order", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=300_000)
    args = parser.parse_args()
    won = total = 0
    for (name, attacker, kind), rows in problems(args.file):
        command = [args.ludex, "solve", "gomoku:15", "--method", "threats", "--json"]
        command += ["--order", str(args.order), "--nodes", str(args.nodes)]
        command += ["--position", position(rows, attacker)]
        run = subprocess.run(command, capture_output=True, text=True)
        if not run.stdout:
            print(f"{name:<30} {run.stderr.strip().splitlines()[0]}")
            continue
        answer = json.loads(run.stdout)
        total += 1
        won += answer["value"] == "win"
        print(f"{name:<30} {kind:<4} {attacker:<6} {answer['value']:<8} {answer['shape']} {answer['nodes']}")
    print(f"{won} of {total} proved")


if __name__ == "__main__":
    main()
