"""Completeness: every rule and every gap has a scenario and is cited in code."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from referee.rulesets import starfarers
from tests.rulesets.starfarers import test_setup, test_turn
from tests.rulesets.starfarers.test_scenarios import CASES

RULES: Final = {
    1: "winning",
    2: "systems",
    3: "bases",
    4: "beginning",
    5: "hand",
    6: "sequence",
    7: "mothership",
    8: "prototype",
    9: "phases",
    10: "exploring",
    11: "moving",
    12: "zones",
    13: "wormholes",
    14: "teleporting",
    15: "galaxies",
    16: "captivity",
    17: "mining",
    18: "spending",
    19: "occupation",
    20: "traders",
    21: "mercenaries",
    22: "teleporters",
    23: "pirates",
    24: "bargains",
    25: "ports",
    26: "costs",
    27: "building",
    28: "orbits",
    29: "ranges",
    30: "coverage",
    31: "fleet",
    32: "attacks",
    33: "score",
    34: "pirates' thrust",
    35: "outcome",
    36: "rebuilding",
    37: "wrecks",
    38: "capture",
    39: "alliances",
    40: "allied battles",
    41: "rebels",
}
"""The rules, by their numbers."""

GAPS: Final = {
    1: "costs",
    2: "caps",
    3: "thrust",
    4: "tiles",
    5: "encounters",
    6: "planets",
    7: "orbit",
    8: "solar system",
    9: "clusters",
    10: "counting",
    11: "holding",
    12: "one move",
    13: "staying",
    14: "stances",
    15: "entering",
    16: "retreating",
    17: "insistence",
    18: "destruction",
    19: "stand-in",
    20: "choice",
    21: "space",
    22: "emptiness",
    23: "nodes",
    24: "ambush",
    25: "order",
    26: "players",
    27: "elimination",
    28: "hand limit",
    29: "turn limit",
}
"""Questions that the rules leave open and this game answers, by their numbers."""

CITED: Final = re.compile(r"rules? [0-9]+(, [0-9]+)*(, G[0-9]+)*|G[0-9]+(, G[0-9]+)*")


def rules_in(texts: Iterable[str]) -> set[int]:
    """Return the rules that *texts* cite. ``rules 29 to 38`` has all between."""
    found = set()
    for text in texts:
        for numbers in re.findall(r"\brules?\s+((?:[0-9]+(?:,| and| to)?\s*)+)", text, re.I):
            for first, last in re.findall(r"([0-9]+)(?: to ([0-9]+))?", numbers):
                found |= set(range(int(first), int(last or first) + 1))
    return found


def gaps_in(texts: Iterable[str]) -> set[int]:
    return {int(number) for text in texts for number in re.findall(r"\bG([0-9]+)\b", text)}


def cited() -> list[str]:
    """Return the citations of the scenarios, and the tests of the setup and of rounds."""
    tests = [Path(module.__file__ or "") for module in (test_setup, test_turn)]
    texts = [str(case.content.get("cite", "")) for case in CASES]
    return [*texts, *(file.read_text(encoding="utf-8") for file in tests)]


def code() -> list[str]:
    folder = Path(starfarers.__file__).parent
    return [file.read_text(encoding="utf-8") for file in folder.glob("*.py")]


def test_a_citation_is_of_rules_or_gaps() -> None:
    wrong = [case.name for case in CASES if not CITED.fullmatch(str(case.content.get("cite")))]
    assert wrong == []


def test_scenarios_cite_only_what_exists() -> None:
    assert rules_in(cited()) - {*RULES} == set()
    assert gaps_in(cited()) - {*GAPS} == set()


def test_every_rule_has_a_scenario() -> None:
    assert {*RULES} - rules_in(cited()) == set()


def test_every_gap_has_a_scenario() -> None:
    assert {*GAPS} - gaps_in(cited()) == set()


def test_every_rule_and_gap_is_cited_in_the_code() -> None:
    texts = code()
    assert {*RULES} - rules_in(texts) == set()
    assert {*GAPS} - gaps_in(texts) == set()


def test_there_are_enough_scenarios() -> None:
    assert len(CASES) >= 180
