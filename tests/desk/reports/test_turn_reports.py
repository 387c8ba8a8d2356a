"""The reports of a turn: written before the transaction that sends them, and only once."""

from collections import Counter
from contextlib import closing

import pytest

from referee.letters.outgoing.compose import Composer, Words
from referee.letters.outgoing.notices import Notice, Report
from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation

TURNS = """
=== gm@example.org writes

CREATE STARWEB SEATS 2 DEADLINE "1 day"

=== gm@example.org gets mail
=== frodo@shire.example writes

JOIN SW-1 FRODO AS Empire Builder

=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN SW-1 SAM AS Empire Builder

=== sam@shire.example gets mail
=== frodo@shire.example gets mail
=== gm@example.org gets mail
=== 1 day passes
=== frodo@shire.example gets mail
=== sam@shire.example gets mail
"""


def test_a_report_comes_out_as_it_was_drafted(monkeypatch: pytest.MonkeyPatch) -> None:
    write = Composer.words
    written = Counter[tuple[int, str]]()

    def count(composer: Composer, notice: Notice) -> Words:
        if isinstance(notice, Report):
            written[notice.turn, notice.seat] += 1
        return write(composer, notice)

    monkeypatch.setattr(Composer, "words", count)
    with closing(Conversation(installed_rulesets())) as conversation:
        conversation.run(TURNS)
    assert written == {(turn, seat): 1 for turn in (1, 2) for seat in ("FRODO", "SAM")}
