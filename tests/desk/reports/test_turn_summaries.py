"""The letter to a GM after each turn: the heaviest news of every seat, if the GM does not play."""

import re
from contextlib import closing

import pytest

from referee.desk.base.told_turns import events_of
from referee.plugins import installed_rulesets
from referee.rules.news import heard
from referee.rules.ruleset import Event, Seat, Weight
from referee.store.games import games
from referee.testing.conversation import Conversation

GM, FRODO = "gm@example.org", "frodo@shire.example"
TURNS = 7


class Fought(Conversation):
    """A conversation about a game against robots."""

    def _nothing_unseen(self) -> None:
        pass

    def say(self, who: str, text: str, how: str = "writes") -> None:
        """Send an email, and take the answer."""
        self.run(f"=== {who} {how}\n\n{text}\n=== {who} gets mail")

    def summaries(self, who: str) -> dict[int, str]:
        """Return the text of each letter on a turn as one line."""
        letters = (" ".join(letter.text.split()) for letter in self.person(who).got)
        found = ((re.match(r"Turn ([0-9]+) of SE-1 was resolved", each), each) for each in letters)
        return {int(turn[1]): text for turn, text in found if turn is not None}


def heaviest(events: tuple[Event, ...], seat: Seat) -> Event | None:
    """Return the heaviest of the events that only some seats know of, and the first of those."""
    own = [each for each in heard(events, seat) if each.audience and each.weight < Weight.DETAIL]
    return min(own, key=lambda each: each.weight, default=None)


@pytest.mark.slow
def test_a_gm_reads_the_heaviest_news_of_each_seat() -> None:
    weights = set()
    with closing(Fought(installed_rulesets())) as talk:
        talk.say(GM, 'CREATE STAR_EMPIRES SEATS 3 DEADLINE "1 day"')
        for _ in range(2):
            talk.say(GM, "GM SE-1\nASSIGN ROBOT HARD")
            talk.say(GM, "CONFIRM", "replies")
        talk.say(FRODO, "JOIN SE-1 FRODO")
        for _ in range(TURNS):
            talk.run(f"=== {FRODO} replies\n\nFINAL\n=== 1 day passes")
        with talk.store.read() as session:
            game = games.by_name(session, "SE-1")
            assert game is not None
            names = {Seat(row.number): row.name for row in game.seats}
            told = {row.number: events_of(row) for row in games.turns_of(session, game)}
    summaries = talk.summaries(GM)
    for turn, summary in summaries.items():
        for seat, name in names.items():
            found = heaviest(told[turn], seat)
            assert found is not None
            line = re.search(f"{name}: [^.]*[.] (.*)", summary)
            assert line is not None
            assert line[1].startswith(found.told or found.text)
            weights.add(found.weight)
    assert [*summaries] == [*range(1, TURNS + 1)]
    assert weights > {Weight.DANGER, Weight.GAIN, Weight.NOTE}
