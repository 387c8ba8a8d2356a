"""Commands and orders that HELP and the golden letters quote: each is one, and is carried out."""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from referee.domain.mail_transfer import Line
from referee.parsing.body import read_body
from referee.parsing.commands import command_words
from referee.parsing.items import Unparsed
from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation, ConversationError

FRODO = "frodo@shire.example"
GOLDEN = Path(__file__).parents[1] / "letters" / "golden"
ALONE = re.compile(r"^ {2,8}([A-Z]{2,}(?: (?:[\w@#/-]|[.,:](?=\w))+)*)(?:: .*)?$", re.MULTILINE)
"""A line that is only a command, with or without its meaning behind a colon."""
BLOCKS = re.compile(r"^(?:PRESS|BROADCAST|CORRECT|DIARY(?! DELETE)|ORDERS FOR)\b")
"""The beginning of what lasts up to an END."""
OTHERS = re.compile(r"^END$|^STANDING$|^PRESS FROM ")
"""The end of a block, the block that only a game with orders has, and the heading of a message."""
EXAMPLE = re.compile(r"^  (\S.*?): (.+(?:\n    .+)*)", re.MULTILINE)
"""An order for the reader with its meaning, which may go on below."""


def misread(text: str) -> list[str]:
    """Return the lines of a letter that begin like a command of ours and are none."""
    found = [each for each in ALONE.finditer(text) if not OTHERS.search(each[1])]
    known = [each for each in found if each[1].split()[0] in command_words()]
    return [each[1] for each in known if not (is_read(each[1]) or is_read(each[0].strip()))]


def is_read(line: str) -> bool:
    """Return whether a line is a command or begins a block, of a GM or of anyone."""
    below = ["Words.", "END"] if BLOCKS.search(line) else []
    for head in ([], ["GM SW-1"]):
        lines = [Line(number, each) for number, each in enumerate([*head, line, *below], 1)]
        if not any(isinstance(item, Unparsed) for item in read_body(lines, None).items):
            return True
    return False


@contextmanager
def playing(key: str) -> Iterator[Conversation]:
    """Yield a running game against robots."""
    with closing(Conversation(installed_rulesets())) as talk:
        say(talk, f"writes\nPLAY {key.replace('_', ' ')}")
        yield talk


def say(talk: Conversation, words: str, to: str = "") -> str:
    """Send an email of the player; return the answer with the text files attached to it."""
    with suppress(ConversationError):
        talk.run(f"=== {FRODO} {words}\n=== {FRODO} gets mail\n")
    return talk.people[FRODO].got[-1].whole_text


@pytest.mark.parametrize("key", sorted(installed_rulesets()))
def test_the_examples_of_help_are_carried_out(key: str) -> None:
    with playing(key) as talk:
        page = say(talk, "replies to report\nHELP").partition("EXAMPLES FOR YOU\n")[2]
        examples = EXAMPLE.findall(page)
        answers = [say(talk, f"replies to report\n{order}") for order, _ in examples]
    assert examples
    for (_, meaning), answer in zip(examples, answers, strict=True):
        assert words(meaning) in words(answer)
        assert "REJECTED" not in answer


@pytest.mark.parametrize(
    "key",
    [
        "singularity",
        *(
            pytest.param(each, marks=pytest.mark.slow)
            for each in sorted({*installed_rulesets()} - {"singularity"})
        ),
    ],
)
def test_help_has_every_topic_that_it_names(key: str) -> None:
    with playing(key) as talk:
        page = say(talk, "replies to report\nHELP\nHELP COMMANDS\nHELP ORDERS\nHELP GM")
        asked = sorted({f"HELP {topic}" for topic in topics(page)})
        for begin in range(0, len(asked), 50):
            answer = say(talk, "replies to report\n" + "\n".join(asked[begin : begin + 50]))
            page += answer
            assert "NOT DONE" not in answer, answer
    assert ", ".join(misread(page)) == ""


def topics(page: str) -> set[str]:
    """Return the topics that a page of HELP names."""
    below = words(page).partition("There is also HELP on ")[2].partition(".")[0]
    chapters = [
        f"{game} {word}"
        for game, listed in re.findall(r"\(HELP ([A-Z]+(?: EMPIRES)?) ([A-Z, ]+)\)", page)
        for word in listed.split(", ")
    ]
    named = re.findall(r"\bHELP ([A-Z]{3,}(?: EMPIRES)?)\b", page)
    return {*re.split(", | and ", below), *chapters, *named} - {""}


def words(text: str) -> str:
    return " ".join(text.split())


def test_the_commands_of_golden_letters_are_commands() -> None:
    found = {
        file.stem: lines
        for file in sorted(GOLDEN.glob("*.txt"))
        if (lines := misread(file.read_text("utf-8")))
    }
    assert found == {}
