"""Advice that is executed: a command that a letter quotes does in that situation what it says."""

import re
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from referee.domain.mail_transfer import Line
from referee.parsing.body import read_body
from referee.parsing.command_lines import ParsedCommand
from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation, ConversationError

FOLDER = Path(__file__).parents[1] / "conversations"
ACTION = re.compile(r"^=== (?!\S+ gets|nobody)", re.MULTILINE)
"""The beginning of a statement before which all letters were read."""
QUOTED = re.compile(r"^ {2,4}([A-Z]{2,}(?: (?:[\w@#/-]|[.,:](?=\w))+)*)(?:: .*)?$", re.MULTILINE)
"""A command on a line of its own, with or without its meaning behind a colon."""


def quoted(text: str) -> Iterator[str]:
    """Yield the commands that a letter quotes, each on a line of its own."""
    for found in QUOTED.finditer(text):
        items = read_body([Line(1, "GM SW-1"), Line(2, found[1])], None).items
        if len(items) == 1 and isinstance(items[0], ParsedCommand):
            yield found[1]


def situations(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the conversation up to each letter that quotes commands, its reader, and one command.

    Each command comes once for each kind of letter.
    """
    cuts = [found.start() for found in ACTION.finditer(text)][1:]
    seen: set[tuple[str, str]] = set()
    with closing(Conversation(installed_rulesets())) as talk:
        begin, read = 0, dict[str, int]()
        for cut in (*cuts, len(text)):
            talk.run(text[begin:cut])
            begin = cut
            for address, person in talk.people.items():
                new = person.got[read.get(address, 0) :]
                read[address] = len(person.got)
                for letter in new[-1:]:
                    kind = re.sub(r"\[.*?\]|\d+|\b[A-Z]{2,}\b", "", letter.subject)
                    for command in quoted(letter.text):
                        if (kind, command) not in seen:
                            seen.add((kind, command))
                            yield text[:cut], address, command


@pytest.mark.slow
@pytest.mark.parametrize("name", ["invited", "reminded", "vote_extend"])
def test_a_quoted_command_is_done(name: str) -> None:
    failed = []
    for before, reader, command in situations((FOLDER / f"{name}.txt").read_text("utf-8")):
        with closing(Conversation(installed_rulesets())) as talk:
            talk.run(before)
            # What it does can be told to others, too.
            with suppress(ConversationError):
                talk.run(f"=== {reader} replies\n{command}\n=== {reader} gets mail\n")
            answer = talk.people[reader].got[-1]
            if "not done" in answer.subject or "NOT DONE" in answer.text:
                failed.append(f"{command}: {answer.text}")
    assert failed == []
