#!/usr/bin/env python3
"""Draws docs/pictures/explain.svg and game.svg from what the program prints.

    scripts/pictures.py [PATH TO ludex]
"""

import pathlib
import re
import subprocess
import sys
from xml.sax.saxutils import escape

LUDEX = sys.argv[1] if len(sys.argv) > 1 else "target/release/ludex"
FOLDER = pathlib.Path(__file__).parent.parent / "docs" / "pictures"

INK, PAPER, FAINT = "#24292f", "#ffffff", "#57606a"
EXPLAIN = ["explain", "gomoku:9", "--moves", "d5 d7 e5 f3 f5"]
GAME = ["play", "connect4", "--side", "none", "--player", "uct", "--nodes", "300", "--seed", "3"]


def run(arguments):
    """The lines that a command prints."""
    done = subprocess.run([LUDEX, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def command(arguments):
    """A command as one types it."""
    return "$ ludex " + " ".join(f"'{it}'" if " " in it else it for it in arguments)


def text(x, y, line, size=15, colour=INK, anchor="start", weight="normal"):
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}" '
        f'font-weight="{weight}" xml:space="preserve">{escape(line)}</text>'
    )


def circle(x, y, radius, fill, stroke=INK, width=1.2):
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{stroke}" stroke-width="{width}"/>'


def square(x, y, size, fill, stroke="none", rounded=0):
    return f'<rect x="{x}" y="{y}" width="{size}" height="{size}" rx="{rounded}" fill="{fill}" stroke="{stroke}"/>'


def write(name, width, height, title, parts):
    """Writes a picture with a title for readers who cannot see it."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" '
        'font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace">'
    )
    frame = f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="{PAPER}" stroke="#d0d7de"/>'
    body = "\n".join([head, f"<title>{escape(title)}</title>", frame, *parts, "</svg>"])
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / name).write_text(body + "\n")


def letters(x, y, step, count):
    return [text(x + column * step, y, chr(97 + column), 13, FAINT, "middle") for column in range(count)]


def explain():
    """The open three: the stones, the conditions of the threat, the only defences."""
    lines = run(EXPLAIN)
    rows = [it for it in lines if re.match(r"\s*\d+ [ \[]", it)]
    told = [it for it in lines if not it.startswith("     a") and it not in rows]
    defences = next(it for it in told if "stop it" in it).split(": ")[1].split()
    step, left, top = 34, 56, 84
    size = len(rows)
    parts = [text(24, 36, command(EXPLAIN), 15, FAINT)]
    edge = left + (size - 1) * step
    marks, stones = [], []
    for row, line in enumerate(rows):
        y = top + row * step
        parts.append(text(30, y + 5, str(size - row), 13, FAINT, "middle"))
        parts.append(f'<path d="M{left} {y}H{edge}M{left + row * step} {top}V{top + (size - 1) * step}" stroke="#afb8c1"/>')
        cells = line.lstrip().split(" ", 1)[1]
        for column in range(size):
            x = left + column * step
            name = f"{chr(97 + column)}{size - row}"
            bracket, cell = cells[3 * column : 3 * column + 2]
            if bracket == "[":
                marks.append(square(x - 15, y - 15, 30, "#ffd8b5", "#bc4c00", 4))
            if name in defences:
                stones.append(circle(x, y, 9, "none", "#1a7f37", 2.5))
            if cell != ".":
                stones.append(circle(x, y, 12, INK if cell == "X" else PAPER))
    parts += marks + stones + letters(left, top + size * step - 6, step, size)
    x, y = edge + 56, top + 4
    for line in told:
        weight = "bold" if "threatens" in line else "normal"
        colour = "#1a7f37" if "stop it" in line else "#bc4c00" if line.startswith("    ") else INK
        parts.append(text(x, y, line, 14, colour, weight=weight))
        y += 26
    y += 10
    parts += [square(x, y - 13, 16, "#ffd8b5", "#bc4c00", 3), text(x + 26, y, "a condition of the threat", 13, FAINT)]
    parts += [circle(x + 8, y + 22, 7, "none", "#1a7f37", 2.5), text(x + 26, y + 27, "a move that stops it", 13, FAINT)]
    write("explain.svg", 840, 400, "Black threatens to make two fours; only c5 and g5 stop it", parts)


def game():
    """A game of Connect Four, with the number of each move on its disc."""
    lines = run(GAME)
    moves = [it.split()[2] for it in lines if it.startswith("move ")]
    result = next(it for it in lines if it.startswith("result ")).split(maxsplit=1)[1]
    step, left, top = 46, 40, 66
    parts = [text(24, 36, command(GAME), 15, FAINT)]
    parts.append(
        f'<rect x="{left - 6}" y="{top - 6}" width="{7 * step + 12}" height="{6 * step + 12}" rx="10" fill="#0969da"/>'
    )
    discs = {name: number for number, name in enumerate(moves)}
    for column in range(7):
        for row in range(6):
            x, y = left + column * step + step / 2, top + (5 - row) * step + step / 2
            number = discs.get(f"{chr(97 + column)}{row + 1}")
            fill = PAPER if number is None else "#cf222e" if number % 2 == 0 else "#f2cc60"
            parts.append(circle(x, y, 18, fill, "#0550ae"))
            if number is not None:
                ink = PAPER if number % 2 == 0 else INK
                parts.append(text(x, y + 5, str(number + 1), 14, ink, "middle", "bold"))
    parts += letters(left + step / 2, top + 6 * step + 26, step, 7)
    x, y = left + 7 * step + 44, top + 14
    for line in [it for it in lines if it.startswith("player ")] + [""]:
        parts.append(text(x, y, line, 14))
        y += 24
    for first in range(0, len(moves), 2):
        column, row = divmod(first // 2, 6)
        pair = f"{first // 2 + 1:>2}. {moves[first]} {moves[first + 1] if first + 1 < len(moves) else ''}"
        parts.append(text(x + 130 * column, y + 24 * row, pair, 14))
    parts.append(text(x, y + 6 * 24 + 14, result, 15, INK, weight="bold"))
    write("game.svg", 760, 380, f"A game of Connect Four between two players of Ludex: {result}", parts)


explain()
game()
