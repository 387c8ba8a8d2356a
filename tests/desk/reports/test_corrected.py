"""Corrected reports, which every game sends with the reason, the changes and lost orders."""

from contextlib import closing

import pytest

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation

GAMES = installed_rulesets()
CORRECTED = """=== it is 2026-09-01 12:00 UTC
=== gm@example.org writes

CREATE {ruleset} SEATS 2 DEADLINE "8 days" OPTION early=0
=== gm@example.org gets mail
=== frodo@shire.example writes

JOIN {game} FRODO{wish}
=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN {game} SAM
=== sam@shire.example gets mail
=== frodo@shire.example gets mail
=== gm@example.org gets mail
=== {name}@shire.example replies to T1
{order}
=== {name}@shire.example gets
Subject: 1 order accepted
=== gm@example.org writes

GM {game}
CORRECT a typing error
{correction}
END
=== gm@example.org gets mail
=== gm@example.org replies
CONFIRM
=== gm@example.org gets mail
=== {name}@shire.example gets
Subject: corrected report
The GM corrected the game: a typing error.
This corrected report takes the place of your report as
ORDERS ON FILE THAT ARE NO LONGER POSSIBLE (1)
CORRECTED
=== {other}@shire.example gets
Subject: corrected report
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "wish", "name", "order", "correction"),
    [
        ("fistful", "", "sam", "H6", "HOME [FRODO] W1"),
        ("singularity", " AS yellow", "frodo", "W29B1F", "W29 [SAM]"),
        ("star_empires", "", "frodo", "BUILD Mandrake 1 probe", "MODIFYWORLD Mandrake 12 0 SAM"),
        ("starfarers", "", "frodo", "S1E2", "H3 [FRODO] 1,0 planet O"),
    ],
)
def test_a_corrected_report_says_what_was_corrected_and_why(
    key: str, wish: str, name: str, order: str, correction: str
) -> None:
    text = CORRECTED.format(
        ruleset=key.upper(),
        game=f"{GAMES[key].info.prefix}-1",
        wish=wish,
        name=name,
        other="frodo" if name == "sam" else "sam",
        order=order,
        correction=correction,
    )
    with closing(Conversation(GAMES)) as conversation:
        conversation.run(text)
