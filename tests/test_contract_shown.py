"""The contract of rulesets: each field of what a ruleset returns is shown in an email."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from sealed_auction import RULESET, Bid, Quit
from sealed_auction.cast import CAST

from referee.domain.ruleset_results import RETURNED
from referee.rules import ruleset as r
from referee.testing.casts.cast import Contest
from referee.testing.contract import DICE, Position, check, opening
from referee.testing.conversation import Conversation, ConversationError
from referee.testing.mail_contract import check_by_mail
from referee.testing.tournament import PAIRINGS, play

EXAMPLE = Path(__file__).parent.parent / "docs" / "examples" / "sealed_auction"
CONVERSATION = (EXAMPLE / "conversation.txt").read_text(encoding="utf-8")

Alter = Callable[[Any], Any]


def to(value: Any) -> Alter:
    """Return a function that returns *value*."""
    return lambda _value: value


def unlike(text: str) -> str:
    """Return a text without a word of another one."""
    return "Something else." if text else "Something."


def no_order(orders: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return orders that cannot be built."""
    return dict.fromkeys(orders, lambda *_: Bid(1))


ALTERED: Final[Mapping[type[Any], Mapping[str, Alter]]] = {
    r.RulesetInfo: {
        "prefix": to("XX"), "title": to("Nothing"), "edition": to("9"), "fewest_seats": to(1),
        "most_seats": to(9), "options": to(()), "choices": to(()),
        "names": to(r.NameRule("[A-Z0-9]+", "letters", stock=("ANN", "BEN", "CEM", "DAN"))),
        "phases": to(("bids",)),
    },
    r.Option: {
        "name": to("other"), "kind": to(bool), "default": to(7), "sentence": unlike,
        "lowest": to(0), "highest": to(999), "choices": to(("secret",)),
    },
    r.NameRule: {
        "pattern": to("[A-Z0-9]+"), "sentence": to("letters"), "reserved": to(frozenset()),
        "stock": to(("ANN", "BEN", "CEM", "DAN")),
    },
    r.Grammar: {
        "source": to("order: bid\nbid: NUMBER\nNUMBER: /[0-9]+/"), "orders": no_order,
        "terminals": to({}), "examples": to(()), "separator": to(r.Separator.BLANKS),
        "blocks": to({}), "joined": to(frozenset()), "leaving": to(frozenset()), "hints": to({}),
    },
    r.Example: {"wrong": to("QUIT THREE"), "advice": unlike},
    r.SignUp: {"seat": lambda seat: r.Seat(seat % 3 + 1), "name": to("NOBODY"), "choices": to({})},
    r.Phase: {
        "key": to("bids"), "title": unlike, "awaiting": to(frozenset({r.Seat(1)})),
        "secret": to(False), "out": to(frozenset()),
    },
    r.Ruling: {"kind": to(r.RulingKind.ACCEPTED), "reason": unlike},
    r.Outcome: {"done": to(True), "reason": unlike},
    r.Event: {
        "text": unlike, "audience": to(None), "weight": to(r.Weight.DETAIL), "heading": unlike,
    },
    r.Resolution: {
        "state": lambda state: dataclasses.replace(state, lots=""), "outcomes": to({}),
        "events": to(()),
    },
    r.Suggestion: {"orders": to((Bid(2),)), "reason": unlike},
    r.Guide: {
        "position": unlike, "suggestions": to(()), "chapters": to(()), "alternatives": to(False),
    },
    r.Verdict: {"winners": to(frozenset({r.Seat(1)})), "standing": to(())},
}  # fmt: skip
"""For each field of the contract another value, with which the emails must be others."""
IN_NO_LETTER: Final = {
    (r.RulesetInfo, "key"): "the name of the entry point",
    (r.RulesetInfo, "schema"): "of the stored state",
    (r.Phase, "round"): "of players who miss several parts, which tests/conversations has",
    (r.Event, "places"): "of maps, which the example does not have",
    (r.Event, "told"): "of the book after the end of a game with maps",
}
CLASSES: Final = frozenset(ALTERED) | {type(RULESET.info)}


class Altered:
    """The example with one field of the contract changed wherever the ruleset gives it."""

    def __init__(self, of: type[Any], field: str) -> None:
        self._of, self._field = of, field
        self._known: dict[int, tuple[Any, Any]] = {}

    def __getattr__(self, name: str) -> Any:
        found = getattr(RULESET, name)
        return partial(self._call, name, found) if name in RETURNED else self._of_all(found)

    def _call(self, name: str, function: Callable[..., Any], *args: Any) -> Any:
        if name == "setup":
            args = (self._of_all(args[0]), *args[1:])
        return self._of_all(function(*args))

    def _of_all(self, value: Any) -> Any:
        """Return a value with the field changed in each part of it, the same for the same."""
        if isinstance(value, tuple | list):
            return type(value)(map(self._of_all, value))
        if isinstance(value, Mapping):
            return {key: self._of_all(part) for key, part in value.items()}
        if type(value) not in CLASSES:
            return value
        if id(value) not in self._known:
            self._known[id(value)] = value, self._changed(value)
        return self._known[id(value)][1]

    def _changed(self, value: Any) -> Any:
        parts = {f.name: self._of_all(getattr(value, f.name)) for f in dataclasses.fields(value)}
        if type(value) is self._of:
            parts[self._field] = ALTERED[self._of][self._field](parts[self._field])
        return dataclasses.replace(value, **parts)


def fields() -> Iterator[tuple[type[Any], str]]:
    for of, altered in ALTERED.items():
        yield from ((of, field) for field in altered)


def test_every_field_of_the_contract_is_altered() -> None:
    declared = {(of, each.name) for of in ALTERED for each in dataclasses.fields(of)}
    assert {*fields(), *IN_NO_LETTER} == declared
    classes = {each for each in vars(r).values() if isinstance(each, type)}
    own = {each for each in classes if each.__module__ == r.__name__}
    assert {each for each in own if dataclasses.is_dataclass(each)} == {*ALTERED}


def run(rules: Any) -> None:
    with closing(Conversation({"auction": rules})) as conversation:
        conversation.run(CONVERSATION)


@pytest.mark.slow
def test_the_conversation_of_the_example_goes_as_written() -> None:
    run(RULESET)


def test_the_example_keeps_the_contract() -> None:
    signed = [r.SignUp(r.Seat(n), name) for n, name in enumerate(("ZOE", "BRUNO", "CARL"), 1)]
    state = RULESET.setup(signed, RULESET.info.chosen({}), DICE)
    leaving = Position(state, {r.Seat(1): [Quit()], r.Seat(2): [Quit()]})
    check(RULESET, [opening(RULESET), leaving])
    check_by_mail(RULESET, CAST)


def test_a_tournament_has_default_options() -> None:
    assert play(RULESET, CAST.contest or Contest((), 0), PAIRINGS[0], 0).turns > 1


@pytest.mark.slow
@pytest.mark.parametrize(("of", "field"), [*fields()])
def test_an_email_shows_each_field_of_the_contract(of: type[Any], field: str) -> None:
    with pytest.raises(ConversationError):
        run(Altered(of, field))
