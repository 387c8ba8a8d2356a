"""The number of the last turn, which every game that has ended has in all its emails."""

from contextlib import closing

import pytest

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation

GAMES = installed_rulesets()
ENDED = """=== it is 2026-09-01 12:00 UTC

=== gm@example.org writes

CREATE {ruleset} SEATS 2 DEADLINE "1 day"

=== gm@example.org gets mail
=== frodo@shire.example writes

JOIN {game} FRODO

=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN {game} SAM

=== sam@shire.example gets mail
=== frodo@shire.example gets mail
=== gm@example.org gets mail
=== 1 day passes
=== sam@shire.example gets mail
=== frodo@shire.example gets mail
=== gm@example.org writes

GM {game}
END GAME

=== gm@example.org gets mail
=== gm@example.org replies
CONFIRM

=== gm@example.org gets
Subject: [{game}] the game is over
=== gm@example.org gets mail
=== sam@shire.example gets mail
=== frodo@shire.example gets
Subject: [{game} FRODO] the game is over
has ended after turn 1.
WHO WAS WHO
  FRODO: no real name
  SAM: no real name
=== frodo@shire.example replies
STATUS

=== frodo@shire.example gets
Subject: Re: [{game} FRODO] answer: STATUS
: ended after turn 1.
=== frodo@shire.example replies
HISTORY

=== frodo@shire.example gets
Subject: Re: [{game} FRODO] history
after turn 1, its last
=== frodo@shire.example replies
LIST

=== frodo@shire.example gets
! {game}:
"""


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(GAMES))
def test_all_emails_name_the_same_last_turn(key: str) -> None:
    text = ENDED.format(ruleset=key.upper(), game=f"{GAMES[key].info.prefix}-1")
    with closing(Conversation(GAMES)) as conversation:
        conversation.run(text)
