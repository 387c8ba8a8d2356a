"""Pages of the docs in parts: what is below a heading, with its blocks, tables and code."""

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
FENCE: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A fenced block: its language, and its text."""


def read_page(name: str) -> str:
    """Return the text of a page, such as ``docs/players.md``."""
    return (ROOT / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """Return what is below a heading of the page, up to the next heading."""
    _, below = re.split(rf"^##+ {re.escape(heading)}$", text, maxsplit=1, flags=re.MULTILINE)
    return re.split(r"^##+ ", below, maxsplit=1, flags=re.MULTILINE)[0]


def blocks(text: str) -> list[str]:
    """Return the fenced blocks, whatever their language."""
    return [block for _, block in FENCE.findall(text)]


def rows(text: str, head: str = "") -> list[list[str]]:
    """Return the cells of the first table whose first row begins with *head*, without the head."""
    (table, *_) = re.findall(rf"^\| {re.escape(head)}.*\n((?:\|.*\n?)+)", text, re.MULTILINE)
    _, *lines = table.splitlines()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


def code(text: str) -> list[str]:
    """Return the phrases that are marked as code, which can be wrapped, but no blocks."""
    found = re.findall(r"`([^`]+)`", FENCE.sub("", text))
    return [" ".join(phrase.split()) for phrase in found]
