"""The command table: each command has one complete entry, and refuses the wrong senders."""

import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from referee.desk.base.desk import Desk
from referee.desk.base.identity import About, Identity, Proof, Trust
from referee.desk.base.loaded_games import load
from referee.desk.orders.command_entries import Deed, Effect, Entry, For, command, question
from referee.desk.orders.letter_context import LetterContext
from referee.desk.reception.commands import COMMANDS, table
from referee.domain import commands as c
from referee.domain import gm_commands as gm
from referee.domain.mail_transfer import Line
from referee.letters.incoming.decode import decode
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.notices import Notice
from referee.parsing.body import ParsedCommand, read_body
from referee.parsing.reference import about
from referee.rules.ruleset import UserError
from referee.store import Session
from referee.store.games import games
from referee.store.models import InboxLetter, SeatRow
from referee.store.people import people
from referee.testing.conversation import statements
from tests.attacks.siege import FRODO, GM, MALLORY, Siege
from tests.support.rulesets import RULESETS

ROOT: Final = Path(__file__).parents[3]
CONVERSATIONS: Final = ROOT / "tests" / "conversations"
REFUSING: Final = [
    row for row in COMMANDS.values() if row.prepare and row.answer is not Acknowledgement
]
"""Entries that refuse by themselves; commands that edit a sheet are refused on opening it."""


def rows(chosen: Callable[[For], bool]) -> list[Any]:
    """Return the entries that refuse by themselves, for tests of senders who may not use them.

    Each test takes a referee of its own, so all but one in five are slow.
    """
    found = [row for row in REFUSING if chosen(row.who)]
    return [
        pytest.param(row, id=row.command.__name__, marks=[pytest.mark.slow] if place % 5 else [])
        for place, row in enumerate(found)
    ]


def classes(module: ModuleType) -> set[type[c.Command]]:
    found = [each for _, each in inspect.getmembers(module, inspect.isclass)]
    mine = [each for each in found if each.__module__ == module.__name__]
    return {each for each in mine if issubclass(each, c.Command)} - {c.Command}


@cache
def commands_of(conversation: str) -> tuple[ParsedCommand, ...]:
    """Return every command in the letters of a conversation."""
    text = (CONVERSATIONS / f"{conversation}.txt").read_text("utf-8")
    written = [each for each in statements(text) if re.search(r" (writes|replies)", each.words)]
    return tuple(item for each in written for item in _typed(each.body))


def _typed(lines: tuple[str, ...]) -> Iterator[ParsedCommand]:
    own = [Line(number, line) for number, line in enumerate(lines, 1)]
    yield from read_body(own, None).commands


def typed(entry: Entry[Any]) -> ParsedCommand:
    """Return the command of an entry, as written in its conversation."""
    return next(each for each in commands_of(entry.shown_in) if type(each.command) is entry.command)


def test_every_command_has_exactly_one_row() -> None:
    assert set(COMMANDS) == classes(c) | classes(gm)
    with pytest.raises(ValueError, match="two entries"):
        table(COMMANDS[c.Help], COMMANDS[c.Help])


def test_a_new_command_has_no_other_place_in_the_program_than_its_class_and_its_deed() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    (declared,) = re.findall(r"@command\(\w+, .*\)", page)
    shown = declared.partition("(")[2].partition(",")[0]
    named = rf"import .*\b{shown}\b|^    {shown},$|\b(c|gm)\.{shown}\b|^class {shown}\("
    texts = {
        file.relative_to(ROOT / "referee").as_posix(): file.read_text("utf-8")
        for file in sorted((ROOT / "referee").rglob("*.py"))
    }
    files = [file for file, text in texts.items() if re.search(named, text, re.M)]
    assert files == ["desk/gm/schedules.py", "domain/gm_commands.py"]
    assert f"\n{declared}\n" in texts["desk/gm/schedules.py"]


def test_commands_get_no_more() -> None:
    # Before twins were joined there were 27 questions and 96 others. A new one needs a reason.
    asking = [row for row in COMMANDS.values() if row.effect is Effect.ASKS]
    assert len(asking) <= 26
    assert len(COMMANDS) - len(asking) <= 93


def test_help_explains_each_command() -> None:
    for entry in COMMANDS.values():
        pages = ("gm.lark",) if entry.who is For.GM else ("commands.lark", "gm.lark")
        assert any(about(page, entry.topic) for page in pages), entry.topic


def test_a_conversation_shows_each_command() -> None:
    for entry in COMMANDS.values():
        assert type(typed(entry).command) is entry.command


def test_a_template_answers_each_command() -> None:
    for entry in COMMANDS.values():
        assert issubclass(entry.answer, Notice)
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", entry.answer.__name__).lower()
        assert (ROOT / "mailtemplates" / f"{name}.txt.j2").is_file(), name


def test_every_command_is_named_in_the_docs() -> None:
    guides = [ROOT / "docs" / f"{name}.md" for name in ("players", "gamemasters")]
    text = "\n".join(guide.read_text(encoding="utf-8") for guide in guides)
    named = {
        words for code in re.findall(r"[`\n]([A-Z]\w+[^`\n]*)", text) for words in _openings(code)
    }
    assert [entry.topic for entry in COMMANDS.values() if entry.topic not in named] == []


def _openings(code: str) -> Iterator[str]:
    """Yield the first words of a command: one, two and three of them."""
    words = code.split()
    yield from (" ".join(words[:count]) for count in (1, 2, 3))


def undone(_context: LetterContext, _given: c.Help) -> Deed:
    return Deed("", str)


@pytest.mark.parametrize(
    ("declared", "effect", "fault"),
    [
        (Entry, Effect.ASKS, "no use case"),
        (question, Effect.CONFIRMED, "without a preview"),
        (question, Effect.ENTERS, "without a preview"),
        (command, Effect.ASKS, "nobody sees its preview"),
        (lambda *row, **shown: command(*row, **shown)(undone), Effect.CONFIRMED, "says why"),
    ],
)
def test_an_entry_has_the_parts_that_its_effect_asks_for(
    declared: Callable[..., Any], effect: Effect, fault: str
) -> None:
    words = (c.Help, "HELP") if declared is not Entry else ("HELP", c.Help)
    with pytest.raises(ValueError, match=f"Help: .*{fault}"):
        declared(*words, For.ANYONE, effect, shown_in="questions")


def test_a_deed_is_prepared_for_its_preview_and_again_when_it_is_done(siege: Siege) -> None:
    calls: list[str] = []

    @command(c.Help, "HELP", For.GM, Effect.CONFIRMED, shown_in="questions", because="it is long")
    def entry(_context: LetterContext, given: c.Help) -> Deed:
        calls.append("prepared")

        def do() -> str:
            calls.append("done")
            return f"done: {given.topic}"

        return Deed(f"This would do {given.topic}.", do)

    assert entry.prepare is not None
    with siege.store.read() as session:
        context = context_of(siege, session, GM, seated=False)
        assert entry.prepare(context, c.Help("all")).says == "This would do all."
        assert calls == ["prepared"]
        assert entry.prepare(context, c.Help("all")).do() == "done: all"
    assert calls == ["prepared", "prepared", "done"]
    assert entry.changes_game


@pytest.fixture(scope="module")
def siege() -> Iterator[Siege]:
    siege = Siege()
    yield siege
    siege.close()


def context_of(siege: Siege, session: Session, address: str, *, seated: bool) -> LetterContext:
    """Return the context of a letter about the running game, accepted if we know the sender."""
    game, person = games.by_name(session, "SW-1"), people.by_address(session, address)
    assert game is not None
    seats = session.query(SeatRow).filter_by(name="FRODO")
    trust = Trust.CODE if person is not None else Trust.NONE
    seat = seats.one() if seated else None
    identity = Identity(address, Proof(trust, person), About(game, seat))
    row = session.query(InboxLetter).order_by(InboxLetter.id).first()
    assert row is not None
    house = siege._app(RULESETS).site
    return LetterContext(
        Desk(session, house, siege.now), decode(row.raw), row, identity, load(session, house, game)
    )


def refusals(siege: Siege, entry: Entry[Any], address: str, *, seated: bool) -> set[str]:
    """Return why the sender may not use the command or see its preview; empty if they may."""
    return {refusal(siege, entry, typed(entry).command, address, seated=seated)}


def refusal(
    siege: Siege, entry: Entry[Any], command: c.Command, address: str, *, seated: bool
) -> str:
    with siege.store.read() as session:
        try:
            assert entry.prepare is not None
            entry.prepare(context_of(siege, session, address, seated=seated), command).do()
        except UserError as mistake:
            return str(mistake)
    return ""


@pytest.mark.parametrize("entry", rows(lambda who: who is For.GM))
def test_a_command_for_gms_is_refused_to_others(siege: Siege, entry: Entry[Any]) -> None:
    told = "Only the GM of SW-1 can do that."
    # Players have a command of their own for some.
    assert {each.partition(" VOTE ")[0] for each in refusals(siege, entry, FRODO, seated=True)} == {
        told
    }
    assert refusals(siege, entry, MALLORY, seated=False) == {told}


@pytest.mark.parametrize("entry", rows(lambda who: For.ANYONE not in who))
def test_a_restricted_command_is_refused_to_strangers(siege: Siege, entry: Entry[Any]) -> None:
    for told in refusals(siege, entry, MALLORY, seated=False):
        assert re.match("You have no seat in |Only the GM of SW-1 can do that", told)


@pytest.mark.parametrize("entry", rows(lambda who: who in For.SEAT | For.DEPUTY))
def test_a_command_for_a_seat_is_refused_to_a_gm(siege: Siege, entry: Entry[Any]) -> None:
    for told in refusals(siege, entry, GM, seated=False):
        assert told.startswith("You have no seat in ")
