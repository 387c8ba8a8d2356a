"""A line that reads whole is an order, also in games of other authors, whatever names are in it."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given

from referee.parsing.reader import reader_of
from referee.rules import ruleset as r
from referee.rules.dice import Dice
from referee.rules.ruleset import Separator
from referee.rules.simple import SimpleRuleset
from referee.testing.conversation import Conversation
from tests.desk.reception.test_full_parse import SEEDS, answer, on_file, whole
from tests.desk.reception.test_remarks import BEGINNING
from tests.support.examples import examples


class Typed(NamedTuple):
    """An order: its parts, with a gap between them."""

    gap: str
    parts: tuple[str | None, ...]


@dataclass(frozen=True)
class State:
    """The players of a game in which orders do nothing."""

    turn: int
    players: tuple[r.Seat, ...]


class Outsider(SimpleRuleset[State, Typed]):
    """A game with an order language of its own."""

    state_type = State
    source = ""
    separator = Separator.LINES
    gap = " "
    rules: tuple[str, ...] = ()

    def setup(self, seats: Any, options: Any, dice: Dice) -> State:
        return State(1, tuple(each.seat for each in seats))

    def phase(self, state: State) -> r.Phase:
        return r.Phase("orders", f"Turn {state.turn}", frozenset(state.players))

    def grammar(self, phase: r.Phase) -> r.Grammar:
        def build(*parts: str | None) -> Typed:
            return Typed(self.gap, parts)

        return r.Grammar(self.source, dict.fromkeys(self.rules, build), separator=self.separator)

    def render(self, order: Typed) -> str:
        return order.gap.join(filter(None, order.parts))

    def validate(self, state: State, seat: r.Seat, orders: Any) -> list[r.Ruling]:
        return [r.Ruling(r.RulingKind.ACCEPTED)] * len(orders)

    def resolve(self, state: State, orders: Any, missed: Any, dice: Dice) -> Any:
        done = {
            seat: tuple((each, r.Outcome(done=True)) for each in sheet)
            for seat, sheet in orders.items()
        }
        return r.Resolution(State(state.turn + 1, state.players), done, ())

    def view(self, state: State, seat: r.Seat | None, deadline: str) -> Any:
        return ()

    def verdict(self, state: State) -> r.Verdict | None:
        return None


def info(key: str, prefix: str) -> r.RulesetInfo:
    names = r.NameRule("[A-Z]{2,12}", "2 to 12 letters", stock=("LEFT", "RIGHT"))
    return r.RulesetInfo(key, prefix, key, "1", 1, 2, 2, options=(), choices=(), names=names)


class Trading(Outsider):
    """A game whose orders are lines of words, of which any word can be a name."""

    info = info("trading", "TR")
    rules = ("give", "visit", "sell")
    source = """
        // orders of traders          GIVE 5 TO BEN
        order: give | visit | sell
        give: TO_GIVE NUMBER TO NAME
        visit: VISIT NAME
        sell: SELL NAME [NUMBER]
        TO_GIVE: "GIVE"
        TO: "TO"
        VISIT: "VISIT"
        SELL: "SELL"
        NUMBER: /[1-9][0-9]{0,2}/
        NAME: /[A-Za-z]{1,12}/
        %ignore / +/
    """


class Marching(Outsider):
    """A game whose orders are codes, with a name behind an equals sign or a dash."""

    info = info("marching", "MA")
    separator = Separator.BLANKS
    gap = ""
    rules = ("march", "title", "rest")
    source = """
        // orders of armies          A1-ROM
        order: march | title | rest
        march: ARMY DASH NAME
        title: ARMY EQUALS NAME
        rest: REST
        ARMY: /A[1-9][0-9]{0,2}/
        DASH: "-"
        EQUALS: "="
        REST: "REST"
        NAME: /[A-Za-z]{2,12}/
    """


class Calling(Outsider):
    """A game whose orders are separated by spaces, and can have commas in them."""

    info = info("calling", "CA")
    separator = Separator.SPACES
    gap = ""
    rules = ("call", "named")
    source = """
        // orders of callers          RING1,22
        order: call | named
        call: RING NUMBER [COMMA NUMBER]
        named: RING COLON NAME
        RING: "RING"
        COMMA: ","
        COLON: ":"
        NUMBER: /[1-9][0-9]{0,2}/
        NAME: /[A-Za-z]{2,12}/
    """


GAMES: Final = {game.info.key: game for game in (Trading(), Marching(), Calling())}
_FIRST: Final = {"trading": "VISIT BEN", "marching": "A1-ROM", "calling": "RING1,22"}


@pytest.fixture(scope="module", params=sorted(GAMES))
def running(request: pytest.FixtureRequest) -> Iterator[tuple[Conversation, str]]:
    key = request.param
    name = f"{GAMES[key].info.prefix}-1"
    with closing(Conversation(dict(GAMES))) as conversation:
        conversation.run(BEGINNING.format(title=key.upper(), name=name, orders=_FIRST[key]))
        yield conversation, key


@pytest.mark.sampled
@examples(20, unchecked=True)
@given(SEEDS)
def test_an_order_of_another_authors_game_is_an_order(
    running: tuple[Conversation, str], seed: int
) -> None:
    conversation, key = running
    game = GAMES[key]
    grammar = game.grammar(game.phase(State(1, ())))
    is_sentence = reader_of(grammar).advice.is_sentence
    expected = {
        text: game.render(order)
        for text, order in whole(grammar, "order", seed).items()
        if not is_sentence(text)
    }
    said = answer(conversation, "\n".join(("CLEAR", *expected)))
    filed = on_file(conversation, f"{game.info.prefix}-1")
    missing = [text for text, order in expected.items() if order not in filed]
    assert (missing, "WORDS" in said) == ([], False), said
