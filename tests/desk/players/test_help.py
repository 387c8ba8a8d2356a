"""HELP with the name of a ruleset, and the topic nearest to what somebody wrote."""

import re
from contextlib import closing

import pytest

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.base.rulebooks import ruleset_word
from referee.desk.players.help import asks, nearest_topic, options
from referee.parsing.reader import reader_of
from referee.rules.ruleset import NameRule, Option, Phase, RulesetInfo
from referee.store.models import Game
from referee.testing.conversation import Conversation
from tests.support.rulesets import RULESETS


def _info(*house: Option) -> RulesetInfo:
    return RulesetInfo(
        key="auction",
        prefix="AU",
        title="Auction",
        edition="1",
        schema=1,
        fewest_seats=2,
        most_seats=4,
        options=house,
        choices=(),
        names=NameRule("[A-Z]+", "letters"),
    )


def test_a_ruleset_without_options_says_so() -> None:
    assert options(_info(), "Bid and win.") == (
        "Auction is for 2 to 4 players. It has no options of its own. HELP OPTIONS lists those of "
        "every game."
    )


def test_options_follow_their_introduction() -> None:
    option = Option("lots", int, 3, "how many lots there are.", lowest=1, highest=9)
    assert options(_info(option), "Bid and win.") == (
        "Auction is for 2 to 4 players. A GM can choose at CREATE:\n\n"
        "  OPTION lots=3: how many lots there are."
    )


def test_the_overview_is_not_repeated() -> None:
    overview = "Auction Auction is for 2 to 4 players. Bid and win."
    assert options(_info(), overview).startswith("It has no options of its own.")


def table(key: str) -> LoadedGame:
    """Return a game with only a reader of orders."""
    ruleset = RULESETS[key]
    phase = Phase(ruleset.info.phases[0], "", frozenset())
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


def test_the_commands_of_every_day_of_a_gm_are_one_page() -> None:
    with closing(Conversation(RULESETS)) as talk:
        talk.run("=== gm@example.org writes\nHELP GM\n=== gm@example.org gets mail\n")
        lines = talk.people["gm@example.org"].got[-1].text.splitlines()
    assert len(lines) <= 40
    heads = [line.split()[0].rstrip(":") for line in lines if re.match("[A-Z]{4,}.*: ", line)]
    assert " ".join(heads) == "SHEETS REMIND EXTEND RESOLVE HOLD REPLACE PRESS ROLLBACK"
