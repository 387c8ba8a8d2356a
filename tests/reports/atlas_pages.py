"""The atlas as tests read it: the data in the page, and the texts that it has."""

import json
import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from typing import Any

from referee.reports.atlas import AtlasHeading, atlas
from referee.reports.symbols import colours_of
from referee.rules.extras import extras_of
from tests.support.golden_states import ruleset
from tests.support.seen_turns import seen, states

ORDERS_TO = "referee+sABC@games.example"


def heading(turn: int, seat: str = "CERES", **others: str) -> AtlasHeading:
    """Return whose atlas it is."""
    values = {
        "deadline": "tomorrow",
        "orders_to": ORDERS_TO,
        "subject": f"Re: [SW-1 T{turn}] orders",
    }
    return AtlasHeading("SW-1", "StarWeb", seat, turn, **values | others)


def golden_page(key: str, seat: int, turns: int) -> bytes:
    """Return the atlas of a seat in the golden game of a ruleset, after so many turns."""
    told, rules = seen(key, seat, turns), ruleset(key)
    phase = rules.phase(states(key, turns)[-1]).key
    name = told[-1].chart.owners[0]
    colours = colours_of(told[-1].chart.owners)
    return atlas(heading(len(told), name), told, extras_of(rules).order_forms, phase, colours)


class Elements(HTMLParser):
    """Every element of a page: its name, its attributes, and the text in it."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], str]] = []
        self._is_open = False
        self.feed(page.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), ""))
        self._is_open = True

    def handle_endtag(self, tag: str) -> None:
        self._is_open = False

    def handle_data(self, data: str) -> None:
        if self._is_open:
            tag, attributes, text = self.found[-1]
            self.found[-1] = tag, attributes, text + data

    def texts(self, tag: str) -> list[str]:
        """Return the texts of all elements with a name."""
        return [text for name, _, text in self.found if name == tag]


def data_of(page: bytes) -> Any:
    """Return the data in a page."""
    (text,) = [
        text
        for tag, attributes, text in Elements(page).found
        if tag == "script" and attributes.get("type") == "application/json"
    ]
    return json.loads(text)


def applied(before: str, delta: Any) -> str:
    """Return the text after a difference, as the script of the page does."""
    if isinstance(delta, str):
        return delta
    if delta == 0:
        return before
    if delta[0] == -1:
        return _with_numbers(before, delta[1:])
    return "\n".join(_line(before.split("\n"), item) for item in delta)


def _line(old: Sequence[str], item: Any) -> str:
    if isinstance(item, str):
        return item
    return old[item] if isinstance(item, int) else _with_numbers(old[item[0]], item[1:])


def _with_numbers(text: str, changes: Sequence[Any]) -> str:
    parts = re.split("([0-9]+)", text)
    for at, part in zip(changes[::2], changes[1::2], strict=True):
        parts[at] = str(part)
    return "".join(parts)


def record_texts(data: Any) -> Iterator[tuple[str, str, int, str]]:
    """Yield each record in a page: its kind, its name, its turn and its text."""
    names = {"p": [place[0] for place in data["places"]], "u": data["units"]}
    texts: dict[tuple[str, int], str] = {}
    for turn in data["turns"]:
        for kind in "pu":
            for row in turn[kind]:
                number = row if isinstance(row, int) else row[0]
                if not isinstance(row, int):
                    texts[kind, number] = applied(texts.get((kind, number), ""), row[-1])
                yield kind, names[kind][number], turn["n"], texts[kind, number]
