"""The page a player reads: the comments of the grammar, laid out as text."""

import pytest

from referee.parsing.reference import about, about_order, examples, reference
from referee.resources import folder
from referee.rules.ruleset import Grammar, Separator


def test_the_subject_and_long_explanations_are_separated() -> None:
    page = reference("commands.lark")
    assert page.startswith("What you write to the referee")
    assert "game's own grammar.\n\nGETTING STARTED\nget help on everything" in page
    assert "    FINAL\n    WAIT\n\nOrders for every turn" in page
    assert "    STANDING\n    F3L F3W75\n    END\n\n" in page
    assert "\n\n\n" not in page


def test_an_example_has_a_line_of_its_own() -> None:
    assert about("commands.lark", "CHECK") == ("only check your email: file nothing\n    CHECK")
    assert about("gm.lark", "OPTION GRACE").endswith(
        "not at all\n    OPTION GRACE 2 hours\n    OPTION GRACE NONE"
    )
    assert "\n    DEPUTY NONE" in about("commands.lark", "DEPUTY")


def test_no_page_has_columns() -> None:
    pages = {file.name: reference(file.name) for file in folder("grammars").glob("*.lark")}
    columns = [
        (name, line)
        for name, page in pages.items()
        for line in page.split("\n")
        if "  " in line.strip() or line.startswith(" " * 9)
    ]
    assert columns == []


def test_a_command_is_found_by_its_first_words() -> None:
    assert about("commands.lark", "map").startswith("get a map of what you know")
    assert about("commands.lark", "SET ZONE") in about("commands.lark", "SET")
    assert "MAP" not in about("commands.lark", "SET ZONE")
    assert about("commands.lark", "F3W75") == ""


def test_a_page_ends_where_the_words_of_the_grammar_begin() -> None:
    assert reference("schedule.lark").endswith("every second Friday 18:00 UTC, in homes 1 day")
    assert "THE WORDS ABOVE" not in reference("starweb.lark")


def test_no_page_is_wider_than_a_letter() -> None:
    pages = {file.name: reference(file.name) for file in folder("grammars").glob("*.lark")}
    wide = [(name, line) for name, page in pages.items() for line in page.split("\n") if line[78:]]
    assert wide == []


ORDERS = """\
// The orders of a game.

// ---- Armies ----
// an army goes          MOVE PARIS or RETREAT HOME
order: move | hold | build
move: (MOVE | "RETREAT"i) place
// an army stays         HOLD
hold: HOLD "FAST"i?
// something new         BUILD ARMY
build: "BUILD" ("ARMY" | "FLEET")

// ---- The words above ----
MOVE.2: "MOVE"i | "M"i
HOLD: "HOLD"i
place: HOME | TOWN
HOME: "HOME"i
TOWN: /[A-Z]+/
"""


@pytest.mark.parametrize(
    ("word", "entries"),
    [
        ("move", ["an army goes\n    MOVE PARIS or RETREAT HOME"]),
        ("RETREAT", ["an army goes\n    MOVE PARIS or RETREAT HOME"]),
        ("HOME", ["an army goes\n    MOVE PARIS or RETREAT HOME"]),
        ("HOLD", ["an army stays\n    HOLD"]),
        ("FAST", ["an army stays\n    HOLD"]),
        ("FLEET", ["something new\n    BUILD ARMY"]),
        ("PARIS", []),
        ("M", []),
        ("ORDER", []),
    ],
)
def test_an_order_is_found_by_its_words(word: str, entries: list[str]) -> None:
    assert about_order(ORDERS, word) == "\n\n".join(entries)


def test_orders_in_comments_are_examples_but_words_by_chance_are_not() -> None:
    source = """\
// The orders of a game: go
// go north, or go at once       GO NORTH   GO
order: go
go: "GO"i WAY?
WAY: "NORTH"i | "AT"i
%import .common (BLANK)
%ignore BLANK
"""
    grammar = Grammar(source, {"go": lambda *way: way}, separator=Separator.LINES)
    assert examples(grammar) == [("NORTH",), ()]
    book = "Go. `GO\nAT` and `GONE` `GO`\n\n```\nGO NORTH\nNORTH\n```\n"
    assert examples(grammar, book)[2:] == [("AT",), (), ("NORTH",)]


def test_an_order_is_found_by_the_words_of_its_one_terminal() -> None:
    hands = '// what you show\norder: throw\nthrow: HAND\nHAND: "ROCK"i\n    | "PAPER"i\n'
    assert [about_order(hands, word) for word in ("ROCK", "PAPER", "STONE")] == [
        "what you show",
        "what you show",
        "",
    ]
