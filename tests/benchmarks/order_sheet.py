"""Reading of an order sheet with errors, compared with a plain regular expression."""

import re
from collections.abc import Callable, Sequence
from itertools import cycle
from random import Random
from typing import Final

from referee.parsing.reader import Reader
from referee.rules.ruleset import Seat
from referee.rulesets.starweb import RULESET
from tests.benchmarks.galaxy import ORDERS, galaxy, sheet
from tests.benchmarks.timing import Benchmark, Deed, report

BAD: Final = ("F3T5", "W75B1OF119", "F12 T 3 P", "please send the fleet home")
"""Lines that are not orders; each gets a reason and a fix."""
_SHEETS: Final = 100

_F, _W, _I, _P, _C, _V = (rf"{letter}[1-9][0-9]*" for letter in "FWIPCV")
_N: Final = "[1-9][0-9]*"
_NAME: Final = "[A-Z]{1,9}"
_FORMS: Final = {
    "transfer": rf"(?:{_F}|{_I}|{_P})T{_N}(?:{_F}|[IP])",
    "scrap": rf"{_W}S{_N}",
    "build": rf"{_W}B{_N}(?:[IPR]|{_F})|{_W}I{_N}[IL]",
    "migrate": rf"(?:{_P}|{_C})M{_N}{_W}",
    "move": rf"{_F}(?:{_W}){{1,3}}",
    "probe": rf"(?:{_F}|{_I}|{_P})P{_N}",
    "carry": rf"{_F}[LUJN](?:{_N})?",
    "artifact": rf"{_V}(?:{_F}|W)",
    "fire": rf"{_F}[AC](?:{_F}|[IPH])|(?:{_I}|{_P})[AC](?:{_F}|C)",
    "ambush": rf"Z(?:{_N})?",
    "declare": rf"[ANLXJ]={_NAME}",
    "give": rf"(?:{_F}|{_W})G={_NAME}",
    "plunder": rf"{_W}X",
    "peace": rf"{_F}[QX]",
    "bomb": rf"{_F}[BD]",
    "robots": rf"{_F}R{_N}",
}
RECOGNISER: Final = re.compile(
    "|".join(rf"(?P<{name}>{form})" for name, form in _FORMS.items()), re.IGNORECASE | re.ASCII
)


def recognised(text: str) -> list[str | None]:
    """Return the form of each word of *text*, or None."""
    return [
        match.lastgroup if (match := RECOGNISER.fullmatch(word)) is not None else None
        for word in text.split()
    ]


def others(lines: Sequence[str]) -> list[str]:
    """Return sheets like *lines* with other numbers: more lines than the reader remembers."""
    chance = Random("sheets")
    text = "\n".join(lines)
    return [
        re.sub(r"\d+", lambda number: str(chance.randint(1, int(number[0]) + 1)), text)
        for _ in range(_SHEETS)
    ]


def each(read: Callable[[str], object], texts: Sequence[str]) -> Deed:
    """Return the reading of the next of *texts*, the first after the last."""
    coming = cycle(texts)
    return lambda: read(next(coming))


def main() -> None:
    """Run the benchmark."""
    state = galaxy()
    orders = sheet(state, Seat(1)).split()
    lines = [" ".join(orders[at : at + 10]) for at in range(0, ORDERS, 10)]
    reader = Reader(RULESET.grammar(RULESET.phase(state)))
    for bad in ((), BAD):
        texts = others([*lines, *bad])
        report(
            Benchmark(
                f"Order sheet of {ORDERS} orders and {len(bad)} bad lines, read with diagnostics",
                each(reader.read, texts),
                "a compiled regular expression that only recognises the forms",
                each(recognised, texts),
                # The parser reports errors through its own exceptions.
                aim=25 if bad else 10,
            )
        )


if __name__ == "__main__":
    main()
