"""The rulebook for players: its orders can be read, and its examples run."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from referee.desk.base.rulebooks import Chapter, plain, rulebook
from referee.parsing.reader import read_orders
from referee.rulesets.starweb import RULESET
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.artifacts import FIRST_WORDS, SECOND_WORDS
from referee.rulesets.starweb.language import GRAMMAR
from referee.rulesets.starweb.state import Character
from referee.rulesets.starweb.text.records import read_records
from referee.rulesets.starweb.treasures import SPECIAL_POINTS, WANTED, treasure_points
from referee.testing.scenarios import Case, run_case
from tests.rulesets.starweb.sheets import CLASSES
from tests.rulesets.starweb.test_citations import SETTLED

BOOK: Final = rulebook(RULESET)
assert BOOK is not None
CHAPTERS: Final = BOOK.chapters
TEXT: Final = "\n".join((BOOK.overview, *(chapter.text for chapter in CHAPTERS)))
TYPED: Final = re.compile(r"`([^`]+)`")
LABEL: Final = re.compile(r"(players|before|[A-Z] orders|after|points)\s+")


def examples() -> Iterator[tuple[str, str]]:
    """Yield each example with its chapter."""
    for chapter in CHAPTERS:
        for text in re.findall(r"^```example\n(.*?)^```", chapter.text, re.MULTILINE | re.DOTALL):
            yield chapter.word, text


def as_case(text: str) -> dict[str, Any]:
    """Return an example as a scenario. The text after a label belongs to it."""
    parts: dict[str, str] = {}
    label = ""
    for line in text.splitlines():
        if found := LABEL.match(line):
            label, line = found[1], line[found.end() :]
        parts[label] = f"{parts.get(label, '')}\n{line}".strip()
    players = [each.strip().split(" ", 1) for each in parts["players"].split(",")]
    points = [each.split() for each in parts.get("points", "").split(",") if each]
    return {
        "players": dict(players),
        "given": parts["before"],
        "orders": {name[0]: given for name, given in parts.items() if name.endswith(" orders")},
        "then": parts["after"],
        "scores": {name: int(count) for name, count in points},
    }


def table(word: str, heading: str) -> list[list[str]]:
    """Return the rows of the table in a chapter whose first column has this heading."""
    chapter = chapter_on(word)
    lines = chapter.text.splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    rows = []
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def chapter_on(word: str) -> Chapter:
    return next(chapter for chapter in CHAPTERS if chapter.word == word)


@pytest.mark.parametrize(
    "text", [text for _, text in examples()], ids=[word for word, _ in examples()]
)
def test_an_example_has_the_result_it_shows(text: str) -> None:
    case = Case(Path("starweb.md"), "an example", "starweb", as_case(text))
    assert run_case(case, {"starweb": RULESET}).differences == ()


def test_parts_of_reports_are_valid_records() -> None:
    fences = re.findall(r"^```(example)?\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    shown = [text.replace("(F68[HATYSA]-->W13)", "") for kind, text in fences if not kind]
    records = [read_records(text) for text in shown]
    assert [(len(each.worlds), len(each.fleets)) for each in records] == [(1, 0), (1, 0), (0, 1)]


def test_most_chapters_have_an_example() -> None:
    assert len({word for word, _ in examples()}) * 2 > len(CHAPTERS)


def test_the_order_table_has_every_order_and_nothing_else() -> None:
    typed = " ".join(text for row in table("ORDERS", "order") for text in TYPED.findall(row[0]))
    kinds = {type(order) for order in read_orders(GRAMMAR, typed)}
    assert kinds == CLASSES - {o.PostSign}


def test_every_order_in_the_text_is_read() -> None:
    for text in TYPED.findall(re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL)):
        assert len(read_orders(GRAMMAR, text)) == 1


def test_every_settled_case_is_mentioned() -> None:
    mentioned = {int(number) for number in re.findall(r"\(case ([0-9]+)\)", TEXT)}
    assert [number for number in SETTLED if number not in mentioned] == []
    assert mentioned <= SETTLED.keys()


def test_paragraphs_are_numbered_in_their_sequence() -> None:
    for place, chapter in enumerate(CHAPTERS, 1):
        assert chapter.title.startswith(f"{place}. ")
        found = re.findall(r"^([0-9]+)\.([0-9]+) ", chapter.text, re.MULTILINE)
        expected = [(str(place), str(number)) for number in range(1, len(found) + 1)]
        assert (found, bool(found)) == (expected, True)


def test_chapters_have_different_words() -> None:
    words = [chapter.word for chapter in CHAPTERS]
    assert sorted(words) == sorted(set(words))


def test_a_page_fits_into_an_email() -> None:
    lines = [line for chapter in CHAPTERS for line in plain(chapter.text).splitlines()]
    assert [line for line in lines if len(line) > 78 or not line.isascii()] == []


def test_the_steps_of_the_turn_are_all_there() -> None:
    assert [row[0] for row in table("TURN", "step")] == [str(step) for step in range(20)]


def test_every_character_is_described() -> None:
    text = chapter_on("CHARACTERS").text
    assert [each.value for each in Character if f"The {each.value.upper()} " not in text] == []


def test_artifacts_are_named_as_they_are() -> None:
    rows = table("ARTIFACTS", "digit")
    assert [row[1] for row in rows] == list(FIRST_WORDS)
    assert [row[2] for row in rows[1:]] == list(SECOND_WORDS)


def test_the_points_for_artifacts_are_what_the_rules_give() -> None:
    pirate, collector = Character.PIRATE, Character.COLLECTOR
    shown = {row[0]: (int(row[1]), int(row[2])) for row in table("ARTIFACTS", "every turn")}
    assert WANTED[pirate] == ("Silver", "Lodestar")
    kinds = {
        "greatest treasure": (33, 22),
        "of a wanted category": (13, 12),
        "other standard": (14, 14),
        "plastic": (10, 10),
        "Treasure of Polaris": (8, 8),
        "Slippers of Venus": (6, 6),
        "Lesser of Two Evils": (7, 7),
        "Radioactive Isotope": (9, 9),
        "Black Box": (100, 100),
        "Nebula Scroll": (1, 1),
    }
    assert {number for pair in kinds.values() for number in pair} >= {*SPECIAL_POINTS} - {
        2,
        3,
        4,
        5,
    }
    for kind, (one, other) in kinds.items():
        assert shown[kind] == (treasure_points(one, pirate), treasure_points(other, collector))
