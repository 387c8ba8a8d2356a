"""The topic of HELP that is nearest to what somebody wrote."""

import pytest

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.base.rulebooks import ruleset_word
from referee.desk.players.help_topics import asks, nearest_topic
from referee.parsing.reader import reader_of
from referee.plugins import installed_rulesets
from referee.rules.ruleset import Phase
from referee.store.models import Game


def table(key: str) -> LoadedGame:
    """Return a game with only a reader of orders."""
    ruleset = installed_rulesets()[key]
    phase = Phase(ruleset.info.phases[0], "", 1, frozenset())
    return LoadedGame(Game(), ruleset, None, phase, reader_of(ruleset.grammar(phase)))


@pytest.mark.parametrize(
    ("key", "words", "topic"),
    [
        ("starweb", "hi, how do I build ships?", "STARWEB SHIPS"),
        ("starweb", "How does ambushing work", "STARWEB AMBUSH"),
        ("star_empires", "hi, how do I build ships?", "BUILD"),
        ("star_empires", "conceel f1", "CONCEAL"),
        ("star_empires", "a parcel from me", ""),
        ("fistful", "When is the deadline?", "DEADLINES"),
        ("singularity", "Thank you very much!", ""),
        ("singularity", "", ""),
    ],
)
def test_the_nearest_topic_is_an_order_or_a_chapter(key: str, words: str, topic: str) -> None:
    assert topic == nearest_topic(words.split(), table(key))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I am back on Monday.", False),
        ("See you on Sunday at the station", False),
        ("how do I build ships", True),
        ("hi, can I build ships?", True),
        ("Wie baue ich Schiffe", True),
        ("explore east", True),
    ],
)
def test_small_talk_asks_for_nothing(text: str, *, expected: bool) -> None:
    assert asks(text) is expected


def test_only_the_first_words_of_a_long_email_are_compared() -> None:
    assert nearest_topic(["parcels"] * 30 + ["conceal"], table("star_empires")) == ""
    assert nearest_topic(["parcels"] * 29 + ["conceal"], table("star_empires")) == "CONCEAL"


def test_a_ruleset_is_found_under_its_shortest_word() -> None:
    assert ruleset_word("starweb", "StarWeb") == "STARWEB"
    assert ruleset_word("star_empires", "Star Empires") == "STAR EMPIRES"
