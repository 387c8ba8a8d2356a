"""Each part that is made of a turn besides its record and its reports is broken, and fixed."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from referee.daemon import Daemon, publisher
from referee.desk.base import attachments, call_outs, robots
from referee.desk.base.faults import Part
from referee.desk.base.loaded_games import LoadedGame
from referee.desk.due import adjudication, owed_letters
from referee.desk.games import record_file
from referee.desk.players import queries
from referee.desk.publishing import book
from referee.desk.reports import public_reports, turn_reports, turn_summaries
from referee.domain.call_outs import Hook
from referee.letters.outgoing.compose import Composer
from referee.plugins import installed_rulesets
from referee.reports import picture
from referee.testing.conversation import OPERATOR, Conversation
from referee.testing.correspondents import Received
from tests.daemon.test_trouble import BEGINNING, torn_composer, turns
from tests.support.examples import mostly_slow

MADE_BY: Final[Mapping[Part, tuple[object, str]]] = {
    Part.ROBOTS_PLAY_ON: (adjudication, "_note_that_robots_play_on"),
    Part.FORMAT: (turn_reports, "as_wanted"),
    Part.LESSON: (turn_reports, "lesson"),
    Part.SHEET: (LoadedGame, "template"),
    Part.GUIDE: (turn_reports, "first_guide"),
    Part.ROBOTS: (robots, "in_report"),
    Part.SILENT: (turn_reports, "_missing"),
    Part.JSON: (attachments, "_report"),
    Part.MAP: (picture, "svg"),
    Part.PNG: (picture, "png"),
    Part.CALENDAR: (attachments, "_entry"),
    Part.ATLAS: (attachments, "atlas_file"),
    Part.MORE_PRESS: (turn_reports, "_more_press"),
    Part.DEPUTY: (turn_reports, "_deputy_copy"),
    Part.SUMMARY: (turn_summaries, "_whole"),
    Part.CALL_OUT: (call_outs, "_heard"),
    Part.RECORD: (record_file, "enclosed"),
    Part.PUBLIC_REPORT: (public_reports, "_public_report"),
    Part.BOOK: (book, "common_files"),
    Part.DIGEST: (turn_summaries, "send"),
    Part.PAGES: (publisher, "files_of"),
    Part.OWED: (owed_letters, "carry_out"),
}
"""The function that makes each part; the others are broken by the template of the same name."""
TORN: Final = {Part.LAYOUT: "report", Part.MISSED: "missed_turn"}
AT_START: Final = {Part.GUIDE}
AT_END: Final = {Part.RECORD, Part.BOOK}
NAMED: Final = set(Part) - {
    *(Part.ROBOTS_PLAY_ON, Part.MISSED, Part.SUMMARY, Part.CALL_OUT, Part.RECORD),
    *(Part.PUBLIC_REPORT, Part.BOOK, Part.DIGEST, Part.PAGES, Part.OWED),
}
"""The parts of a report, which names what it lacks."""
START, _, JOINING = BEGINNING.partition("=== frodo@shire.example writes")
WANTED: Final = """
=== gm@example.org writes

GM SW-1
OBSERVERS ON DELAY 1 TURN

=== gm@example.org replies
CONFIRM

=== rosie@bywater.example writes

OBSERVE SW-1

=== rosie@bywater.example replies
CONFIRM

=== frodo@shire.example replies to first report
SET ATTACHMENTS MAP PNG REPORT DEADLINE ATLAS
"""
ATLAS: Final = """
=== frodo@shire.example replies to T2
MAP ATLAS

=== frodo@shire.example gets
The atlas of 2 turns is being made. It comes in another email.
"""
TURN_1: Final = "=== it is 2026-09-06 13:00 UTC\n"
END: Final = """
=== gm@example.org writes

GM SW-1
END GAME

=== gm@example.org replies
CONFIRM

=== 2 hours pass
"""


class Loud(Conversation):
    """A conversation in which any letters may come."""

    def _nothing_unseen(self) -> None:
        self._unseen.clear()

    def letters(self, address: str, subject: str) -> list[Received]:
        """Return the letters to somebody with words in the subject."""
        return [each for each in self.person(address).got if subject in each.subject]


@pytest.fixture
def loud(tmp_path: Path) -> Iterator[Loud]:
    """Yield a conversation with a hook and with pages."""
    with closing(Loud(installed_rulesets())) as talk:
        adopt(talk, talk.daemon.app.site.composer, tmp_path)
        yield talk


def adopt(talk: Loud, composer: Composer, folder: Path) -> None:
    app = talk.daemon.app
    site = replace(app.site, hooks=(Hook("chat", frozenset()),), composer=composer)
    talk.daemon = Daemon(replace(app, site=site), owner="conversation")
    talk.daemon.publisher = publisher.Publisher(
        talk.store, site, folder / "pages", talk.daemon.guard
    )


def broken(*_given: object, **_named: object) -> object:
    raise ZeroDivisionError


def pass_a_turn(talk: Loud) -> None:
    talk.run("=== it is 2026-09-06 13:00 UTC")


def test_every_part_is_broken_here() -> None:
    assert {*MADE_BY, *TORN} == set(Part)


AGAIN: Final = {
    Part.PUBLIC_REPORT: ("rosie@bywater.example", "public report"),
    Part.BOOK: ("frodo@shire.example", "book"),
    Part.OWED: ("frodo@shire.example", "atlas of turn 2"),
    Part.DIGEST: ("gm@example.org", "turn 1 resolved"),
}
"""The reader of what a step of the loop makes when it is fixed, and the subject."""


def destroy(
    talk: Loud, part: Part, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> Callable[[], None]:
    """Break a part, and return the function that fixes it."""
    if part not in TORN:
        monkeypatch.setattr(*MADE_BY[part], broken)
        return monkeypatch.undo
    whole = talk.daemon.app.site.composer
    adopt(talk, torn_composer(folder / "mailtemplates", monkeypatch, TORN[part]), folder)
    return partial(adopt, talk, whole, folder)


@pytest.mark.slow
@pytest.mark.parametrize("part", mostly_slow([*Part]))
def test_a_turn_stands_without_a_part_that_fails(
    loud: Loud, part: Part, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    named = {"ruleset": "STARWEB", "game": "SW-1"}
    loud.run(START.format(**named))
    joining = "=== frodo@shire.example writes" + JOINING.format(**named)
    if part not in AT_START:
        loud.run(joining + WANTED)
    if part in AT_END:
        loud.run(TURN_1)
    fix = destroy(loud, part, monkeypatch, tmp_path)
    loud.run(joining if part in AT_START else END if part in AT_END else TURN_1)
    if part is Part.OWED:
        monkeypatch.setattr(queries, "MOST_TURNS", 0)
        loud.run(ATLAS)
    turn = 1 if part in AT_START else 2
    assert turns(loud) == {"SW-1": turn}
    told = loud.letters(OPERATOR, part.consequence)
    assert len(told) == 1
    report = "the game is over" if part in AT_END else f"[SW-1 T{turn}"
    for player in ("frodo", "sam"):
        assert loud.letters(f"{player}@shire.example", report) != []
    if part in NAMED:
        text = loud.letters("frodo@shire.example", "report")[-1].text
        assert f"lacks {part.title}" in " ".join(text.split())
    if part is Part.BOOK:
        (over,) = loud.letters("frodo@shire.example", report)
        assert "could not be made yet. You get it in another email." in " ".join(over.text.split())
    fix()
    loud.mailed.clear()
    loud.run("=== 3 hours pass")
    assert loud.letters(OPERATOR, part.consequence) == told
    if part in {*NAMED, *AGAIN}:
        address, subject = AGAIN.get(part, ("frodo@shire.example", "report, orders due"))
        came = [Received(mail.raw) for mail in loud.mailed if mail.recipient == address]
        assert [(subject in each.subject, "lacks" in each.text) for each in came] == [(True, False)]
