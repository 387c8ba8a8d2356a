"""The number of the last turn, which every game that has ended has in all its emails."""

from contextlib import closing

import pytest

from referee.cli.common import shown_turn
from referee.plugins import installed_rulesets
from referee.store.games import games
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
FINAL STANDINGS
FRODO
SAM
WHO WAS WHO
  FRODO: (no real name given)
  SAM: (no real name given)
! urn 2
! ound 2
=== frodo@shire.example replies to the game is over
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
@pytest.mark.sampled
@pytest.mark.parametrize("key", sorted(GAMES))
def test_all_emails_name_the_same_last_turn(key: str) -> None:
    text = ENDED.format(ruleset=key.upper(), game=f"{GAMES[key].info.prefix}-1")
    with closing(Conversation(GAMES)) as conversation:
        conversation.run(text)


PLAYED = """=== it is 2026-09-01 12:00 UTC
=== gm@example.org writes

CREATE {ruleset} SEATS 2 DEADLINE "1 day" OPTION {options}

=== gm@example.org gets mail
=== frodo@shire.example writes

JOIN {game} FRODO{wish}

=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN {game} SAM{wish}

=== sam@shire.example gets mail
=== frodo@shire.example gets mail
=== gm@example.org gets mail
=== 30 days pass
=== gm@example.org gets mail
=== sam@shire.example gets mail
=== frodo@shire.example gets
Subject: [{game} T{report} FRODO] final report
has ended after turn {last}.
{no_other}
=== frodo@shire.example gets
Subject: [{game} FRODO] the game is over
has ended after turn {last}.
=== frodo@shire.example gets mail
=== frodo@shire.example replies
STATUS

=== frodo@shire.example gets
Subject: Re: [{game} FRODO] answer: STATUS
: ended after turn {last}.
=== frodo@shire.example replies
HISTORY

=== frodo@shire.example gets
Subject: Re: [{game} FRODO] history
after turn {last}, its last
turn {last}:
! turn {report}:
"""


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("key", "options", "wish", "last"),
    [
        ("fistful", "turn_limit=1", "", 3),
        ("singularity", "mode=single turn_limit=2", "", 2),
        ("singularity", "mode=two turn_limit=2", "", 4),
        ("singularity", "mode=full turn_limit=2", "", 6),
        ("starweb", "ending=1000", " AS Empire Builder", 24),
        ("starfarers", "turn_limit=2", "", 2),
    ],
)
def test_a_game_that_ends_by_its_rules_has_one_last_turn(
    key: str, options: str, wish: str, last: int
) -> None:
    game = f"{GAMES[key].info.prefix}-1"
    # Only the printout of StarWeb, in the form of the original, has the number of the report.
    others = () if key == "starweb" else (n for n in range(1, last + 2) if n != last)
    text = PLAYED.format(
        ruleset=key.upper(),
        options=options,
        wish=wish,
        game=game,
        last=last,
        report=last + 1,
        no_other="\n".join(f"! urn {number}" for number in others),
    )
    with closing(Conversation(GAMES)) as conversation:
        conversation.run(text)
        with conversation.store.read() as session:
            assert [shown_turn(found) for found in games.listing(session)] == [last]
