"""Player commands: each form of the grammar has its example, use case, docs and conversation."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from referee.desk.orders.command_entries import For
from referee.desk.reception.commands import COMMANDS as TABLE
from referee.domain.commands import Command, Create
from referee.domain.gm_commands import DropRules, ListRules
from referee.domain.mail_transfer import Line
from referee.parsing.body import read_body
from referee.parsing.commands import COMMANDS, players_reader
from referee.parsing.items import DiaryBlock, Parsed, PressBlock, StandingBlock

ROOT: Final = Path(__file__).parents[3]
GRAMMAR: Final = (ROOT / "grammars" / "commands.lark").read_text("utf-8")
DOCS: Final = (ROOT / "docs" / "players.md").read_text("utf-8")
CONVERSATIONS: Final = "\n".join(
    file.read_text("utf-8") for file in sorted((ROOT / "tests" / "conversations").glob("*.txt"))
)
FORMS: Final = tuple(
    name.strip() for name in re.findall(r"command : (.*?)\n\n", GRAMMAR, re.S)[0].split("|")
)
IN_GM_GRAMMAR: Final = (Create, DropRules, ListRules)
"""Commands of anyone, who becomes or is a GM by them."""
BLOCKS: Final = (DiaryBlock, PressBlock, StandingBlock)
"""The first line of a block is not a command: the block as a whole is executed."""
OWN_LETTERS: Final = {
    "press": ("press_letter", "press_delivered"),
    "set_address": (
        *("address_confirm", "address_proof", "address_proved", "address_moved", "address_left"),
        *("address_lapsed", "address_refused"),
    ),
    "set_second_address": ("second_address_set", "at_second_address"),
    "set_digest": ("daily_digest",),
    "set_reminders": ("reminder",),
    "standby": ("seat_offered", "seat_gone"),
    "take_over": ("seat_gone",),
}
"""Letters that are sent as a later effect of a command, or to other people."""


def words(form: str) -> str:
    """Return the fixed words that a form of the grammar begins with."""
    (rule,) = re.findall(rf"^{form} *: (.*)$", GRAMMAR, re.M)
    begun = re.match(r'\(?((?:"[A-Z]+" ?)+)', rule)
    assert begun is not None
    return " ".join(re.findall(r'"([A-Z]+)"', begun[1]))


def built(form: str) -> type | None:
    """Return the type that the grammar's examples for a form build, or None if they build none."""
    maker = COMMANDS.orders[form]
    for example in examples(words(form)):
        for item in players_reader().read(example):
            if isinstance(item, Parsed) and is_made_by(maker, item.order):
                return type(item.order)
    return None


def examples(begin: str) -> Iterator[str]:
    """Yield the grammar's examples that begin so, each followed by shorter and shorter versions."""
    for line in re.findall(r"^// *(.*)$", GRAMMAR, re.M):
        # Two spaces separate an example from its explanation.
        for shown in re.split(r" {2,}", line):
            if re.match(rf"{begin}\b", shown):
                parts = shown.split()
                yield from (" ".join(parts[:length]) for length in range(len(parts), 0, -1))


def is_made_by(maker: Any, order: object) -> bool:
    return not isinstance(maker, type) or isinstance(order, maker)


def missing(form: str) -> Iterator[str]:
    """Yield what is missing for a form of the grammar."""
    begin = words(form)
    kind = built(form)
    if kind is None:
        yield "an example in grammars/commands.lark"
    elif kind not in {*TABLE, *BLOCKS}:
        yield "a use case in desk/"
    if not re.search(rf"`{begin}\b|^{begin}\b", DOCS, re.M):
        yield "docs/players.md"
    if not re.search(rf"^{begin}\b", CONVERSATIONS, re.M):
        yield "a conversation in tests/conversations/"
    for letter in OWN_LETTERS.get(form, ()):
        if not (ROOT / "mailtemplates" / f"{letter}.txt.j2").is_file():
            yield f"mailtemplates/{letter}.txt.j2"


def test_every_command_of_a_player_has_all_that_belongs_to_it() -> None:
    found = {form: list(missing(form)) for form in FORMS}
    assert {form: what for form, what in found.items() if what} == {}


def test_every_use_case_is_reached_by_an_example() -> None:
    shown = [example for form in FORMS for example in examples(words(form))]
    bodies = [read_body((Line(1, example),), None) for example in shown]
    written = {type(item.command).__name__ for body in bodies for item in body.commanded(Command)}
    players = (kind for kind, entry in TABLE.items() if entry.who is not For.GM)
    reached = {kind.__name__ for kind in players if kind not in IN_GM_GRAMMAR}
    assert reached - written == set()


def test_commands_with_letters_of_their_own_are_commands() -> None:
    assert set(OWN_LETTERS) <= set(FORMS)
