"""Robots that play StarWeb by mail: they read their reports and write sensible orders."""

import re
import textwrap
from collections.abc import Sequence
from typing import Final

from referee.testing.robots.apostle import Apostle
from referee.testing.robots.berserker import Berserker
from referee.testing.robots.collector import Collector
from referee.testing.robots.empire_builder import EmpireBuilder
from referee.testing.robots.merchant import Merchant
from referee.testing.robots.pirate import Pirate
from referee.testing.robots.robot import Robot

CHARACTERS: Final[dict[str, type[Robot]]] = {
    "Empire Builder": EmpireBuilder,
    "Merchant": Merchant,
    "Pirate": Pirate,
    "Artifact Collector": Collector,
    "Berserker": Berserker,
    "Apostle": Apostle,
}
"""The robots by the character they play."""

_WIDTH: Final = 72


def order_text(orders: Sequence[str]) -> str:
    """Give orders as they are typed into a letter: in lines, what has lines of its own last."""
    short = " ".join(order for order in orders if " " not in order and "\n" not in order)
    lines = textwrap.wrap(short, _WIDTH, break_on_hyphens=False)
    long = [order for order in orders if " " in order or "\n" in order]
    return "\n".join([*lines, *long]) + "\n"


def form(order: str) -> str:
    """Give the form of an order, with ``n`` for each number and no name: ``FnWnWn``, ``A=``."""
    if order.startswith("SIGN"):
        return "SIGN"
    return re.sub(r"\d+", "n", re.sub(r"=\w+", "=", order))
