"""The orders that a first report suggests, sent as they are: accepted without a warning."""

import re
from contextlib import closing
from datetime import timedelta

import pytest

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation
from referee.testing.correspondents import Correspondent, Received
from tests.desk.reception.test_remarks import TITLES

GAMES = 2
BEGINNING = """\
=== gm@example.org writes

CREATE {title} SEATS 2 DEADLINE "5 days"
=== gm@example.org gets mail
=== {a} writes

JOIN {name}
=== {a} gets mail
=== {b} writes

JOIN {name}
=== {b} gets mail
=== {a} gets mail
=== gm@example.org gets mail
"""


def suggested(report: Received) -> tuple[list[str], bool]:
    """Return the orders that a report suggests, and whether they are alternatives.

    None to a player for whom the game does not wait.
    """
    if "You need not send orders now" in report.text:
        return [], False
    found = re.search(r"^.*(?:COULD SEND|OF THESE) NOW\n(.*?)^  To send", report.text, re.S | re.M)
    assert found is not None, report.text
    lines = [line[2:] for line in found[1].splitlines() if not line.startswith("    ")]
    return [line for line in lines if line], "To send one" in report.text


def answer(conversation: Conversation, person: Correspondent, text: str) -> Received:
    """Return the answer to a reply with *text*."""
    conversation.now += timedelta(minutes=1)
    last = person.got[-1]
    conversation.arrive(person.reply(last, text, conversation.now, {}), last.reply_to)
    return person.got[-1]


@pytest.mark.sampled
@pytest.mark.parametrize("game", sorted(TITLES))
def test_the_suggested_opening_has_no_warning(game: str) -> None:
    title, name = TITLES[game]
    with closing(Conversation(installed_rulesets())) as conversation:
        players = []
        for number in range(1, GAMES + 1):
            a, b = f"a{number}@shire.example", f"b{number}@shire.example"
            of_game = f"{name.partition('-')[0]}-{number}"
            conversation.run(BEGINNING.format(title=title, name=of_game, a=a, b=b))
            players += [conversation.person(a), conversation.person(b)]
        for player in players:
            report = next(got for got in player.got if "YOUR FIRST TURN" in got.text)
            orders, are_alternatives = suggested(report)
            whole = [] if are_alternatives or not orders else ["\n".join(orders)]
            for text in (*whole, *orders):
                said = answer(conversation, player, text)
                assert "accepted" in said.subject, said.text
                assert not re.search("^(WARNINGS|REJECTED|NOT DONE|WORDS)", said.text, re.M)
