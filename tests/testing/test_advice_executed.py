"""Advice that is executed: a command that a letter quotes does in that situation what it says."""

import os
import re
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import pairwise
from pathlib import Path

import pytest

from referee.domain.mail_transfer import Line
from referee.parsing.body import read_body
from referee.parsing.command_lines import ParsedCommand
from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation, ConversationError
from referee.testing.correspondents import Received

FOLDER = Path(__file__).parents[1] / "conversations"
ACTION = re.compile(r"^=== (?!\S+ gets|nobody)", re.MULTILINE)
"""The beginning of a statement before which all letters were read."""
REPEATED = re.compile(r"^(?: *[:>]|  Line [0-9]| *#[0-9]|NOT .*\n  \S).*", re.MULTILINE)
"""A line of the reader or of others, which a letter repeats."""
ALONE = re.compile(r"^ {2,8}([A-Z]{2,}(?: (?:[\w@#/-]|[.,:](?=\w))+)*)(?:: .*)?$", re.MULTILINE)
"""A command on a line of its own, with or without its meaning behind a colon."""
WITHIN = re.compile(
    r"(?<= )([A-Z]{2,}(?: (?:[A-Z][A-Z0-9][\w-]*|#?\d[\w-]*|\S+@\S+\w|days?|hours?)\b)+)"
)
"""A command of several words within a sentence."""
NO_ADVICE = {
    r"@example\.|\b(?:CERES|MARS)\b|K7QX2M4A|#1234\b": "a placeholder for what the reader knows",
    r"^HISTORY 7$": "an example",
    r"^SEATS |^JOIN SW-1$": "a part of CREATE, or of JOIN with a code",
    r"^(?:ABSENT|DEPUTY) NONE$": "the end of what has not begun",
    r"^CANCEL (?!#)": "an example, or an order of words that ends behind the capitals",
    r"^VOTE CONCEDE (?!TO )": "the reader's own misspelt line",
    r"^YOU ": "a heading",
    r"^SHARE |^VOTE RESUME$": "the choice of players, in a letter that GMs get, too",
    r"^REVEAL$|^ACCEPT LATE|^VOTE GM$": "what is possible later, as the letter says",
}
"""Quotes that advise nothing here and now, with the reasons."""


def quoted(letter: Received) -> set[str]:
    """Return the commands that a letter advises here and now.

    HELP and house rules have general examples, and a digest asks for the name of a game.
    """
    if re.search("(?i)help|house|digest", letter.subject):
        return set()
    text = REPEATED.sub("", letter.text)
    found = {*ALONE.findall(text), *WITHIN.findall(re.sub(r"(?<=\S)\n *(?=\S)", " ", text))}
    found = {one for one in found if is_command(one) and not re.search("|".join(NO_ADVICE), one)}
    # A question promises what is done after it, unless it says that some is not possible.
    asks = "IF YOU CONFIRM" in letter.text and "NOT POSSIBLE" not in letter.text
    return {*found, "CONFIRM"} if asks else found


def is_command(text: str) -> bool:
    """Return whether a line is one command."""
    items = read_body([Line(1, "GM SW-1"), Line(2, text)], None).items
    return len(items) == 1 and isinstance(items[0], ParsedCommand)


def refusal(talk: Conversation, reader: str, command: str) -> str:
    """Return why a command of the reader is not done, or "", from a process of its own."""
    end, start = os.pipe()
    if not (child := os.fork()):
        with suppress(BaseException):
            for words in (command, "CONFIRM"):
                # What it does can be told to others, too.
                with suppress(ConversationError):
                    talk.run(f"=== {reader} replies\n{words}\n=== {reader} gets mail\n")
                answer = talk.people[reader].got[-1]
                os.write(start, answer.refusal.encode())
                if "confirm: " not in answer.subject:
                    os._exit(0)
        os._exit(1)
    os.close(start)
    with open(end, encoding="utf-8") as answers:
        said = answers.read()
    return said if os.waitpid(child, 0)[1] == 0 else f"{said} The answer is no answer."


def situations(talk: Conversation, text: str) -> Iterator[tuple[str, Received]]:
    """Perform a conversation, and yield each reader and their last letter before anybody acts."""
    cuts = [0, *(found.start() for found in ACTION.finditer(text)), len(text)]
    for begin, end in pairwise([0, *cuts[2:]]):
        before = {reader: len(person.got) for reader, person in talk.people.items()}
        talk.run(text[begin:end])
        for reader, person in talk.people.items():
            if len(person.got) > before.get(reader, 0):
                yield reader, person.got[-1]


@pytest.mark.sqlite("A child process has a database in memory to itself.")
@pytest.mark.parametrize(
    "names",
    [
        "create_*",
        "invited",
        *(
            pytest.param(f"{each}*", marks=pytest.mark.slow)
            for each in (*"abcefhijklmnoqrsuvw", "g[a-l]", "gr", "gm_[a-b]", "gm_d", "gm_[e-o]")
        ),
    ],
)
def test_a_quoted_command_is_done(names: str) -> None:
    failed, seen = [], set[tuple[str, str]]()
    for file in sorted(FOLDER.glob(f"{names}.txt")):
        with closing(Conversation(installed_rulesets())) as talk:
            for reader, letter in situations(talk, file.read_text("utf-8")):
                for command in sorted(quoted(letter)):
                    of_commands = r"|\b[A-Z]{2,}\b" if command != "CONFIRM" else ""
                    kind = re.sub(rf"\[.*?\]|\d+{of_commands}", "", letter.subject)
                    known, seen = seen, {*seen, (kind, command)}
                    if known != seen and (said := refusal(talk, reader, command)):
                        failed.append(f"{file.stem}, {letter.subject}: {command}: {said}")
    assert failed == []
