"""Every section and every settled case of the rules has a scenario and code."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from referee.rulesets import starweb
from tests.rulesets.starweb.test_scenarios import CASES

SECTIONS: Final = {
    "s3": "beginning",
    "s4A": "building",
    "s4B": "trading",
    "s4C": "plundering",
    "s4D": "collecting",
    "s4E": "killing",
    "s4F": "converting",
    "s6": "ships",
    "s7": "keys",
    "s8": "control",
    "s9": "industry",
    "s10": "population",
    "s11": "moving",
    "s12": "probes",
    "s13": "cargo",
    "s14": "artifacts",
    "s15": "firing",
    "s16": "ambush",
    "s17": "allies",
    "s18": "gifts",
    "s19": "plunder",
    "s20": "peace",
    "s21": "bombs",
    "s22": "robots",
    "s23": "mines",
    "s24": "looseness",
    "s25": "holes",
    "s26": "signs",
    "s27": "printout",
    "s28": "sheet",
    "s29": "exclusion",
    "s30": "victory",
    "s31": "limits",
}
"""The sections of the rules with content; s1, s2, s5 and s32 introduce and repeat."""

SETTLED: Final = {
    1: "printing",
    2: "maxima",
    3: "growth",
    4: "digging",
    5: "starving",
    6: "pooling",
    7: "loads",
    8: "casualties",
    9: "provocation",
    10: "ambushers",
    11: "neutralising",
    12: "boarding",
    13: "cap",
    14: "goods",
    15: "recovery",
    16: "losses",
    17: "sharing",
    18: "generosity",
    19: "rounding",
    20: "devotion",
    21: "swallowing",
    22: "disarming",
    23: "promptness",
    24: "emptiness",
    25: "landing",
    26: "silence",
    27: "ending",
    28: "idleness",
    29: "simultaneity",
    30: "zeros",
    31: "restart",
    32: "prey",
    33: "overload",
    34: "marks",
    35: "debts",
}
"""The settled cases, by their numbers."""

CITED: Final = re.compile(r"s[0-9]+[A-F]?|settled case [0-9]+")
IN_CODE: Final = re.compile(r"settled\s+cases?\s+([0-9]+(?:(?:,| and| to)\s+[0-9]+)*)")


def citations() -> list[str]:
    return [part for case in CASES for part in str(case.content.get("cite", "")).split(", ")]


def settled_in(texts: Iterable[str]) -> set[int]:
    """Return the numbers of the settled cases in *texts*."""
    found = [numbers for text in texts for numbers in IN_CODE.findall(text)]
    return {int(number) for numbers in found for number in re.findall(r"[0-9]+", numbers)}


def test_a_citation_is_a_section_or_a_settled_case() -> None:
    assert [cited for cited in citations() if not CITED.fullmatch(cited)] == []


def test_scenarios_cite_only_existing_sections() -> None:
    known = {*SECTIONS, *(f"settled case {number}" for number in SETTLED)}
    assert sorted({*citations()} - known) == []


def test_every_section_has_a_scenario() -> None:
    assert [section for section in SECTIONS if section not in citations()] == []


def test_every_settled_case_has_a_scenario() -> None:
    cited = citations()
    assert [number for number in SETTLED if f"settled case {number}" not in cited] == []


def test_every_settled_case_is_cited_in_the_code() -> None:
    folder = Path(starweb.__file__).parent
    found = settled_in(file.read_text(encoding="utf-8") for file in folder.rglob("*.py"))
    assert [number for number in SETTLED if number not in found] == []


def test_there_are_scenarios_enough() -> None:
    assert len(CASES) >= 250
