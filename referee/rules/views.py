"""The blocks a ruleset builds its reports from; how they are drawn is not its business."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph; it is wrapped to the width of the letter."""

    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings; a column is right-aligned when all its cells are numbers."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text that is exact to the character and stays as it is, at most 78 columns wide."""

    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A place on a map: its name, the lines written in it, and whose it is (empty: nobody's)."""

    key: str
    lines: tuple[str, ...]
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A map: places and the links between them, by the places' keys."""

    nodes: tuple[Node, ...]
    links: tuple[tuple[str, str], ...]
    title: str = ""


Block = Prose | Table | Verbatim | Chart
View = tuple[Block, ...]
