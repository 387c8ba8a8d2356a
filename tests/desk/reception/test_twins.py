"""Commands that sounded alike: each has one name, which the answer to the other one says."""

from collections.abc import Iterable
from typing import Final

from tests.attacks.siege import FRODO, GM, Siege

TWINS: Final = (
    ("EXTENSIONS 2 days", "OPTION EXTENSIONS 7 days limits how much a turn can be extended."),
    ("REMINDERS 1 day", "OPTION REMINDERS 3 days, 1 day sets when players are reminded."),
    ("REMIND", "REMIND NOW reminds those whose orders are missing."),
    ("SEAT SAM", "Did you mean SEATS SAM?"),
    ("PAUSE", "HOLD stops the game until RESUME."),
    ("GRACE 2 hours", "OPTION GRACE 2 hours sets how long orders"),
    ("BANK 1 day", "OPTION BANK 1 day sets how long a turn waits"),
    ("MISSED 3", "OPTION MISSED 3 sets how many turns a player"),
)
"""A line without a command, and a part of its answer: the command."""
FEATURES: Final = (
    (GM, "EXTEND 1 day", "done: EXTEND"),
    (GM, "DEADLINE 14 September 2026 12:00 UTC", "done: DEADLINE"),
    (GM, "OPTION EXTENSIONS 9 days", "done: OPTION"),
    (GM, "OPTION REMINDERS 1 day", "done: OPTION"),
    (GM, "REMIND NOW", "confirm: REMIND NOW"),
    (GM, "HOLD", "done: HOLD"),
    (GM, "RESUME", "done: RESUME"),
    (GM, "OPTION PRESS SIGNED", "done: OPTION"),
    (GM, "RULES", "house rules of SW-1 (version 4)"),
    (GM, "OPTION GRACE 2 hours", "done: OPTION"),
    (GM, "OPTION BANK 1 day", "done: OPTION"),
    (GM, "OPTION MISSED 3", "done: OPTION"),
    (GM, "REPORT OF SAM", "report of SAM for turn 2"),
    (FRODO, "REPORT", "report of turn 2, again"),
    (FRODO, "SHARE NAME NO", "done: SHARE"),
    (GM, "REVEAL", "not done: REVEAL"),
    (GM, "RESOLVE", "confirm: RESOLVE"),
)
"""The features of the joined commands: the writer, the line, and the subject of the answer."""


def answers(lines: Iterable[tuple[str, str]]) -> list[tuple[str, str, str, str]]:
    """Return each writer and line with the subject and the text of the answer."""
    siege, found = Siege(), list[tuple[str, str, str, str]]()
    siege.later(days=6)
    for who, line in lines:
        count = len(siege.got(who))
        siege.reply(who, f"{line}\n")
        assert len(siege.got(who)) == count + 1
        letter = siege.last(who)
        fact = letter.subject.rpartition("] ")[2]
        found.append((who, line, fact, " ".join(letter.text.split())))
    return found


def test_an_old_name_is_answered_with_the_command() -> None:
    found = answers((GM, line) for line, _ in TWINS)
    assert [line for line, answer in TWINS] == [
        line for (_, line, _, text), (_, answer) in zip(found, TWINS, strict=True) if answer in text
    ]


def test_no_feature_of_a_joined_command_is_lost() -> None:
    found = answers((who, line) for who, line, _ in FEATURES)
    assert [(who, line, fact) for who, line, fact, _ in found] == [*FEATURES]
