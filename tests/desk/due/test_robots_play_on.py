"""A game for one whose player is out of it: no turn is resolved without them."""

from contextlib import closing
from dataclasses import replace

from referee.rules.ruleset import Phase, Seat
from referee.rulesets.star_empires import StarEmpires
from referee.rulesets.star_empires.state import State
from referee.testing.conversation import Conversation

OUT = """
=== frodo@shire.example writes

PLAY STAR EMPIRES WITHIN 3 days

=== frodo@shire.example gets
Subject: welcome
=== frodo@shire.example gets
Subject: first report
=== frodo@shire.example replies
FINAL

=== frodo@shire.example gets
Subject: done: FINAL
=== frodo@shire.example gets
Subject: [SE-1 T2
FINAL lets them play the next turn, and you get its report.
RESIGN ends the game now
=== nobody gets anything

=== frodo@shire.example replies
FINAL

=== frodo@shire.example gets
Subject: done: FINAL
=== frodo@shire.example gets
Subject: [SE-1 T3
! RESIGN ends the game now
=== nobody gets anything

=== frodo@shire.example replies
RESIGN

=== frodo@shire.example gets
Subject: RESIGN
"""


class OutInTurnTwo(StarEmpires):
    """Star Empires in which the last seat has no homeworld from the second turn on."""

    def phase(self, state: State) -> Phase:
        """Return the phase, which awaits only the other seats."""
        phase = StarEmpires.phase(state)
        out = {Seat(4)} if state.turn > 1 else set()
        return replace(phase, awaiting=phase.awaiting - out)


def test_robots_play_on_only_when_the_player_says_so() -> None:
    with closing(Conversation({"star_empires": OutInTurnTwo()})) as conversation:
        conversation.run(OUT)
