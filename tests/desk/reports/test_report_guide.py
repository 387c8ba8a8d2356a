"""The guide in the first report: all orders in it are accepted when they are sent as they are."""

import re
from collections.abc import Iterator
from contextlib import closing

import pytest

from referee.plugins import installed_rulesets
from referee.testing.conversation import ADDRESS, Conversation
from referee.testing.correspondents import Correspondent, Received
from tests.support.examples import share

GAMES = installed_rulesets()
GM = "gm@example.org"
MOST = 3
HEADINGS = {"ORDERS YOU COULD SEND NOW": False, "SEND ONE OF THESE NOW": True}

OPTIONS = [
    ("starweb", 2, ""),
    ("fistful", 2, ""),
    ("singularity", 2, ""),
    ("star_empires", 2, ""),
    ("starfarers", 2, ""),
    ("starweb", 6, "OPTION introduced=yes"),
    ("fistful", 2, "OPTION home_pick=sealed"),
    ("fistful", 2, "OPTION fog=no"),
    ("singularity", 6, "OPTION mode=two"),
    ("singularity", 3, "OPTION mode=full"),
    ("singularity", 4, "OPTION board.radius=2 fog.ownership=sight"),
    ("star_empires", 5, "OPTION devices=yes"),
    ("starfarers", 4, "OPTION mode=phased"),
    ("starfarers", 3, "OPTION mode=serial"),
    ("starfarers", 3, "OPTION fog=galaxy"),
]


@pytest.fixture
def talk() -> Iterator[Conversation]:
    with closing(Conversation(GAMES)) as conversation:
        yield conversation


@pytest.mark.sampled
@pytest.mark.parametrize(("ruleset", "seats", "options"), OPTIONS)
def test_orders_of_the_guide_are_accepted(
    talk: Conversation, ruleset: str, seats: int, options: str
) -> None:
    # Every game has dice of its own.
    for _ in range(share(3)):
        assert _sent_back(talk, ruleset, seats, options) > 0


def _sent_back(talk: Conversation, ruleset: str, seats: int, options: str) -> int:
    """Send the orders of all guides back, together and one by one; return how many were sent."""
    sent = 0
    for player, report in _begun(talk, ruleset, seats, options):
        orders, alternatives = _suggested(report)
        if "You need not send orders now" in report.text:
            assert orders == []
            continue
        assert len(orders) == MOST
        for sheet in [*orders] if alternatives else ["\n".join(orders), *orders]:
            answer = _write(talk, player, f"{sheet}\n", report)
            assert re.search(r"\] \d+ orders? accepted \(#\d+\)$", answer.subject), answer.shown
            sent += 1
    return sent


def _suggested(report: Received) -> tuple[list[str], bool]:
    """Return the lines to send of the guide in a report, and whether they are alternatives."""
    heading = next((each for each in HEADINGS if f"\n{each}\n" in report.text), "")
    if not heading:
        return [], False
    part = report.text.partition(f"\n{heading}\n")[2].partition("\n  To send ")[0]
    lines = [line[2:] for line in part.split("\n") if re.match(r"  \S", line)]
    return lines, HEADINGS[heading]


def _begun(
    talk: Conversation, ruleset: str, seats: int, options: str
) -> list[tuple[Correspondent, Received]]:
    """Begin a game, and return its players with their first reports."""
    creation = f"CREATE {ruleset.upper()} SEATS {seats} DEADLINE 5 days\n{options}\n"
    created = _write(talk, talk.person(GM), creation)
    found = re.search(r"\[([A-Z]+-\d+)", created.subject)
    assert found, created.shown
    players = []
    for name in GAMES[ruleset].info.names.stock[:seats]:
        player = talk.person(f"{name.lower()}@players.example")
        _write(talk, player, f"JOIN {found[1]} {name}\n")
        players.append(player)
    return [(player, _report(player, found[1])) for player in players]


def _report(player: Correspondent, game: str) -> Received:
    return next(each for each in player.got if re.match(rf"\[{game} .*report", each.subject))


def _write(
    talk: Conversation, player: Correspondent, body: str, answered: Received | None = None
) -> Received:
    before = len(player.got)
    if answered is None:
        talk.arrive(player.letter(ADDRESS, "", body, talk.now, {}))
    else:
        talk.arrive(player.reply(answered, body, talk.now, {}), answered.reply_to)
    return player.got[before]
