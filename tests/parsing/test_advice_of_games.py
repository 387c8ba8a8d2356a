"""The advice on mistakes in the orders of the games: what fits, and nothing that does harm."""

import pytest

from referee.parsing.body import read_body
from referee.parsing.command_lines import Heading
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.lines import numbered
from referee.parsing.reader import reader_of
from tests.support.corpora import GRAMMARS

ABOUT = Heading("SW-1", turn=3)
GM = Heading("SW-1", turn=3, by_gm=True)
EVERY = sorted(GRAMMARS)


def answers(game: str, typed: str, about: Heading = ABOUT) -> list[tuple[str, str]]:
    """Return the reason and the advice for each piece of *typed* that is not read."""
    items = read_body(numbered(typed), reader_of(GRAMMARS[game]), about).items
    return [(item.reason, item.advice) for item in items if isinstance(item, Unparsed)]


@pytest.mark.parametrize("game", EVERY)
@pytest.mark.parametrize("word", ["DESIGN", "Design", "CONCEAL", "SIGNON", "PLAY", "EXPLORE"])
def test_no_word_that_does_harm_is_proposed(game: str, word: str) -> None:
    said = " ".join(f"{reason} {advice}" for reason, advice in answers(game, f"{word} f1"))
    harm = {"RESIGN", "CANCEL", "SIGN", "REPLAY"}
    assert harm & {*said.replace("?", "").split()} == set()


@pytest.mark.parametrize("typed", ["HOLDD", "RESUMEE", "BRODCAST"])
def test_a_word_of_the_gm_is_proposed_to_the_gm_only(typed: str) -> None:
    (to_player,) = answers("starweb", typed)
    (to_gm,) = answers("starweb", typed, GM)
    assert to_player == ("This is not an order.", "")
    assert to_gm[0] == f"Unknown word {typed}."


def test_a_player_who_mistypes_create_gets_its_advice() -> None:
    lines = numbered('CREAT STARWEB DEADLINE "2 days"')
    (item,) = read_body(lines, None).items
    assert isinstance(item, Unparsed)
    assert item.advice == 'Did you mean CREATE STARWEB DEADLINE "2 days"?'


@pytest.mark.parametrize(
    ("game", "typed"),
    [
        ("fistful", "Q."), ("fistful", "Q7"), ("fistful", "Q!"), ("singularity", "Q."),
        ("singularity", "Q1"), ("starfarers", "Q."), ("starfarers", "Q2"), ("starweb", "F3Wx"),
    ],
)  # fmt: skip
def test_no_order_is_proposed_that_nobody_typed(game: str, typed: str) -> None:
    assert [advice for _, advice in answers(game, typed) if advice] == []


@pytest.mark.parametrize(
    ("typed", "reason", "advice"),
    [
        ("DESIGN Sol lander scout",
         "Expected five numbers after the hull.",
         "They are guns, DP, engines, scan and racks; for a missile, guns and tonnage."),
        ("DESIGN Sol", "Expected a name after DESIGN Sol, but found nothing.", ""),
        ("CONCEAL f1",
         "Expected FROM, a location or a name after CONCEAL f1, but found nothing.", ""),
        ("TOGGLE scout1", "Expected public or private.", "Write TOGGLE public f1."),
        ("MOVE p1 (1,0)",
         "Expected EXCEPT, TO or a name after MOVE p1, but found (.",
         "Did you mean MOVE p1 TO (1,0)?"),
    ],
)  # fmt: skip
def test_behind_a_known_word_the_answer_is_what_was_expected(
    typed: str, reason: str, advice: str
) -> None:
    assert answers("star_empires", typed) == [(reason, advice)]


@pytest.mark.parametrize("typed", ["and", "Anna", "Lara", "Xavier", "Jane", "Nothing", "Zorro"])
def test_a_word_is_not_explained_by_its_first_letter(typed: str) -> None:
    assert answers("starweb", typed) == [("This is not an order.", "")]


@pytest.mark.parametrize("game", [game for game in EVERY if game != "star_empires"])
def test_no_orders_are_not_explained(game: str) -> None:
    assert answers(game, "No orders") == [("These words are not orders.", "")]


def test_no_orders_are_not_explained_where_a_line_is_an_order() -> None:
    assert answers("star_empires", "No orders") == [("This is not an order.", "")]


@pytest.mark.parametrize(
    ("game", "typed", "reason", "advice"),
    [
        ("starweb", "V0F8", "There is no V0. Numbers begin at 1.", ""),
        ("starweb", "F3T0F7", "A number here must be at least 1.", ""),
        ("starfarers", "S3E0", "A number here must be at least 1.", ""),
        ("starweb", "W39B1C", "Converts and consumer goods are not built.",
         "W75B10I builds I-Ships, W75B10P P-Ships, W75B10F3 ships on fleet 3."),
        ("fistful", "W39B1C", "Expected a fleet at the end.",
         "W12B2SFA builds two scouts into fleet A."),
        ("fistful", "FAT2S", "Expected a fleet at the end.",
         "FAT2SFB gives two scouts to fleet B."),
        ("fistful", "FA0",
         "Expected D, L, R, T, X or a code like W5 after FA, but found 0.", ""),
        ("singularity", "S11W7=", "Expected a direction from 0 to 6 with +, = or - after W.",
         "S17W2= warps east, S17W2+ east and up."),
        ("singularity", "S11V7=3", "Expected a direction from 0 to 6 with +, = or - after V.",
         "S17V2=3 slips three spaces east."),
        ("starfarers", "S3E7", "Expected a direction from 1 to 6 after E.",
         "S3E2 explores to the east."),
        ("starfarers", "explore east", "Unknown word explore.",
         "S3E2 explores to the east with ship 3."),
        ("starweb", "AMBUSH", "Unknown word AMBUSH.",
         "Your fleets ambush automatically. Z75 ambushes nobody at W75, Z nobody anywhere."),
        ("star_empires", "jump gate1", "Unknown word jump.",
         "TRAVERSE f1 THROUGH Gate1 sends f1 through a portal."),
    ],
)  # fmt: skip
def test_the_advice_fits(game: str, typed: str, reason: str, advice: str) -> None:
    assert answers(game, typed) == [(reason, advice)]


@pytest.mark.parametrize(
    ("typed", "without"),
    [
        ("UNLOAD f1 TO c1", "UNLOAD f1 c1"),
        ("POOL TO Earth", "POOL Earth"),
        ("DEPLOY hammer1 to Vega", "DEPLOY hammer1 Vega"),
    ],
)
def test_to_is_named_where_it_does_not_belong(typed: str, without: str) -> None:
    word = "to" if "to" in typed else "TO"
    assert answers("star_empires", typed) == [
        (f"{word} does not belong here.", f"Did you mean {without}?")
    ]


@pytest.mark.parametrize("typed", ["ALLY TO Red", "TRANSFER Earth 5 TO Mars", "UNLOAD TO f1"])
def test_to_is_not_a_name(typed: str) -> None:
    assert answers("star_empires", typed) == [
        ("TO is not a name here. Write the order without it.", "")
    ]


@pytest.mark.parametrize("game", EVERY)
def test_every_hint_shows_an_order(game: str) -> None:
    reader = reader_of(GRAMMARS[game])
    hints = GRAMMARS[game].hints
    assert reader.first_words & hints.keys() == set()
    for hint in hints.values():
        shown = hint.partition(" moves ")[0] if game == "star_empires" else hint
        shown = shown.partition(" fires ")[0].partition(" sends ")[0]
        texts = (shown, *shown.split())
        assert any(isinstance(item, Parsed) for text in texts for item in reader.read(text))
