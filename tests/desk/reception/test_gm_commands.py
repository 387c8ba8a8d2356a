"""GM commands: each form of the grammar is documented, used in a conversation, and executed."""

import re
from pathlib import Path

import pytest

from referee.desk.orders.command_entries import Effect, For
from referee.desk.reception.commands import COMMANDS
from referee.domain.commands import Command, Create
from referee.domain.gm_commands import DropRules, ListRules
from referee.domain.mail_transfer import IncomingMail
from referee.parsing.commands import gms_reader
from referee.parsing.gm_commands import GM_COMMANDS
from referee.plugins import installed_rulesets
from referee.store.letter_states import InboxState
from referee.store.mail import inbox
from referee.store.models import InboxLetter
from referee.testing.conversation import Conversation

ROOT = Path(__file__).parents[3]
GRAMMAR = (ROOT / "grammars" / "gm.lark").read_text("utf-8")
DOCS = (ROOT / "docs" / "gamemasters.md").read_text("utf-8")
CONVERSATIONS = "\n".join(
    file.read_text("utf-8") for file in sorted((ROOT / "tests" / "conversations").glob("*.txt"))
)
FORMS = [name.strip() for name in re.findall(r"command : (.*?)\n\n", GRAMMAR, re.S)[0].split("|")]

RUNNING = """
=== gm@example.org writes

CREATE STARWEB SEATS 2 DEADLINE "5 days" OPTION introduced=yes

=== gm@example.org gets mail
=== frodo@shire.example writes

JOIN SW-1 FRODO AS Empire Builder

=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN SW-1 SAM AS Empire Builder

=== frodo@shire.example gets mail
=== sam@shire.example gets mail
=== gm@example.org gets mail
"""
QUARANTINE = """
=== gm@example.org writes

GM SW-1
QUARANTINE

=== gm@example.org gets
Reference 5eed: from FRODO, arrived on Tue 1 Sep 2026, 12:00 UTC.
! precious
"""


def words(form: str) -> str:
    """Return the fixed words that a form of the grammar begins with."""
    (rule,) = re.findall(rf"^{form} +: (.*)$", GRAMMAR, re.M)
    begun = re.match(r'\(?((?:"[A-Z]+" ?)+)', rule)
    assert begun is not None
    return " ".join(re.findall(r'"([A-Z]+)"', begun[1]))


@pytest.mark.parametrize("form", FORMS)
def test_a_command_of_a_gm_is_documented_and_tried(form: str) -> None:
    assert re.search(rf"`{words(form)}\b|^{words(form)}\b", DOCS, re.M)
    assert re.search(rf"^{words(form)}\b", CONVERSATIONS, re.M)
    assert re.search(rf"//.* {words(form)}\b", GRAMMAR)


def test_every_command_of_a_gm_can_be_done() -> None:
    # Anyone can create a game, with packs of their own; the words are in the grammar of GMs.
    done = {kind for kind, entry in COMMANDS.items() if entry.who is For.GM}
    done |= {Create, DropRules, ListRules}
    built = {order for order in GM_COMMANDS.orders.values() if isinstance(order, type)}
    commands = {order for order in built if issubclass(order, Command)}
    assert commands <= done
    assert len(FORMS) == len(done)
    assert {words(form).split()[0] for form in FORMS} <= gms_reader().first_words


def test_commands_without_undo_are_documented() -> None:
    final = {
        entry.topic
        for entry in COMMANDS.values()
        if entry.who is For.GM and entry.effect is Effect.FOR_GOOD
    }
    listed = DOCS.partition("## What cannot be undone")[2]
    assert set(re.findall(r"`([A-Z ]+)`", listed)) == final


def playing() -> Conversation:
    conversation = Conversation(installed_rulesets())
    conversation.run(RUNNING)
    return conversation


def test_a_gm_sees_the_quarantined_letters_of_their_players() -> None:
    conversation = playing()
    raw = conversation.person("frodo@shire.example").letter(
        "games@referee.example", "hello", "my precious\n", conversation.now, {}
    )
    with conversation.store.write() as session:
        arrival = IncomingMail("test", "broken", raw, conversation.now)
        letter = session.get_one(InboxLetter, inbox.insert(session, arrival))
        letter.state = InboxState.QUARANTINED
        letter.note = "could not be read, reference 5eed"
    conversation.run(QUARANTINE)
