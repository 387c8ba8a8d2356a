"""A line that reads whole as an order or a command is that, whatever names are in it.

The lines are derived from the grammars, with everyday words as the names in them, and reach a whole
referee by mail.
"""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.mail_transfer import Line
from referee.parsing import words
from referee.parsing.command_lines import opens_block
from referee.parsing.commands import COMMANDS
from referee.parsing.gm_commands import GM_COMMANDS
from referee.parsing.language import Language, ParseFailure
from referee.parsing.reader import reader_of
from referee.plugins import installed_rulesets
from referee.rules.ruleset import Grammar, Ruleset, UserError
from referee.store.games import games
from referee.testing.conversation import Conversation
from tests.desk.reception.test_remarks import BEGINNING, PLAYER, TITLES
from tests.support.corpora import GRAMMARS, sheets
from tests.support.derived import derived
from tests.support.examples import examples

GM: Final = "gm@example.org"
SEEDS: Final = st.integers(0, 10**9)
LINES: Final = 40
_TEXT: Final = Path(words.__file__).with_name("everyday.txt").read_text("utf-8")
_WORDS: Final = {
    word
    for line in _TEXT.splitlines()
    if not line.startswith("#")
    for word in line.split()
    if word.isascii()
}
_TRICKY: Final = "Walt Ben 7 F3 W7B1 p1 FINAL CHECK HELP ADD END FIRE MOVE TO AT a I X"
NAMES: Final = (*sorted(_WORDS), *_TRICKY.split())
_UNREAD: Final = ("WORDS", "Expected ", "Unexpected ", "Unknown word", "This is not")


@pytest.fixture(scope="module", params=sorted(TITLES))
def running(request: pytest.FixtureRequest) -> Iterator[tuple[Conversation, str]]:
    title, name = TITLES[request.param]
    orders = "\n".join(sheets(request.param)[0])
    with closing(Conversation(installed_rulesets())) as conversation:
        conversation.run(BEGINNING.format(title=title, name=name, orders=orders))
        yield conversation, request.param


def answer(conversation: Conversation, text: str, who: str = PLAYER) -> str:
    """Return the answer to a reply with *text*."""
    conversation.now += timedelta(hours=1)
    person = conversation.person(who)
    last, count = person.got[-1], len(person.got)
    conversation.arrive(person.reply(last, text, conversation.now, {}), last.reply_to)
    (got,) = person.got[count:]
    return got.text


def on_file(conversation: Conversation, name: str) -> tuple[str, ...]:
    """Return the only sheet on file for the current turn of a game."""
    with conversation.store.read() as session:
        game = games.by_name(session, name)
        assert game is not None
        (sheet,) = games.sheets_on_file(session, game).values()
        return sheet.orders


@cache
def rules(game: str) -> Ruleset[Any, Any]:
    return installed_rulesets()[game]


@cache
def language(grammar: Grammar, start: str) -> Language:
    return Language(grammar, start)


def whole(grammar: Grammar, start: str, seed: int) -> dict[str, Any]:
    """Return lines of the grammar with the values that its parser alone reads in them."""
    chance, found = Random(seed), {}
    for _ in range(LINES):
        typed = chance.choice((str, str, str.lower))(derived(grammar, start, chance, NAMES))
        try:
            found[typed] = language(grammar, start).read(typed)
        except UserError:
            continue
    return {text: read for text, read in found.items() if not isinstance(read, ParseFailure)}


@pytest.mark.sampled
@examples(20, unchecked=True)
@given(SEEDS)
def test_an_order_is_an_order(running: tuple[Conversation, str], seed: int) -> None:
    conversation, game = running
    grammar = GRAMMARS[game]
    leaving = {grammar.orders[rule] for rule in grammar.leaving}
    is_sentence = reader_of(grammar).advice.is_sentence
    expected = {
        text: rules(game).render(order)
        for text, order in whole(grammar, "order", seed).items()
        if not (type(order) in leaving or is_sentence(text))
    }
    said = answer(conversation, "\n".join(("CLEAR", *expected)))
    filed = on_file(conversation, TITLES[game][1])
    missing = [text for text, order in expected.items() if order not in filed]
    assert (missing, _UNREAD[0] in said) == ([], False), said


@pytest.mark.sampled
@examples(20, unchecked=True)
@given(SEEDS)
@pytest.mark.parametrize("who", [PLAYER, GM])
def test_a_command_is_a_command(running: tuple[Conversation, str], who: str, seed: int) -> None:
    conversation, game = running
    grammar = COMMANDS if who == PLAYER else GM_COMMANDS
    lines = [f"GM {TITLES[game][1]}"] if who == GM else []
    lines += ["CHECK"]
    for text in whole(grammar, "command", seed):
        word = text.split()[0].upper()
        if word != "CANCEL":
            # A CANCEL is one if an order or a receipt follows.
            # A line below CREATE can be a part of it.
            lines += ["", text, *["END"] * opens_block(Line(1, text), word, headed=who == GM)]
    said = answer(conversation, "\n".join(lines), who)
    assert [each for each in _UNREAD if each in said] == [], said
