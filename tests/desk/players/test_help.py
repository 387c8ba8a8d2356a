"""The options of a ruleset, as HELP with its name shows them."""

from referee.desk.players.help import options
from referee.rules.ruleset import NameRule, Option, RulesetInfo


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
