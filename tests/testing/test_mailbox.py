"""The robots behind a mailbox answer the reports of the current turn, and nothing else."""

from contextlib import closing
from datetime import timedelta

import pytest

from referee.plugins import installed_rulesets
from referee.rules.extras import Strength
from referee.testing.conversation import Conversation
from referee.testing.mailbox import REPORT, Mailbox

BEGUN = """\
=== gm@example.org writes

CREATE FISTFUL SEATS 2
DEADLINE 24 hours OPTION home_pick=sealed
=== gm@example.org gets mail
=== alma@one.example writes

JOIN FP-1 ALMA
=== alma@one.example gets mail
=== bruno@two.example writes

JOIN FP-1 BRUNO
=== bruno@two.example gets mail
=== alma@one.example gets mail
=== gm@example.org gets mail
"""


@pytest.mark.slow
def test_a_report_is_answered_as_long_as_its_turn_goes_on() -> None:
    with closing(Conversation(installed_rulesets())) as talk:
        talk.run(BEGUN)
        alma = talk.person("alma@one.example")
        mailbox = Mailbox(talk.store, talk.daemon.app.site)
        first = alma.got[-1]
        sheet = mailbox.answer(first.subject, Strength.HARD)
        talk.arrive(alma.reply(first, sheet, talk.now, {}))
        assert alma.got[-1].subject.startswith("Re: [FP-1 T1 ALMA] 2 orders accepted")
        strange = first.subject.replace("FP-1", "FP-2")
        others = (strange, alma.got[-1].subject, first.subject.replace("first", "final last"))
        assert [mailbox.answer(other, Strength.HARD) for other in others] == ["", "", ""]
        talk.pass_to(talk.now + timedelta(hours=25))
        assert mailbox.answer(first.subject, Strength.HARD) == ""
        assert mailbox.answer(alma.got[-1].subject, Strength.EASY) != ""


@pytest.mark.parametrize(
    ("words", "final"),
    [
        ("first report, orders due Sat 28 Nov 16:03 UTC", None),
        ("corrected report, no deadline set", None),
        ("report, no orders needed now", None),
        ("final report", "final"),
    ],
)
def test_a_report_is_known_by_its_subject(words: str, final: str | None) -> None:
    report = REPORT.search(f"[FP-1 T2 ALMA] {words}")
    assert report is not None
    assert report.groupdict() == {"game": "FP-1", "turn": "2", "seat": "ALMA", "final": final}
