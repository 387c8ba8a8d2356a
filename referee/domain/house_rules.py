"""The house rules that a GM chooses for a game, besides the options of its ruleset."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Any, Final

from referee.domain.votes import Motion, Quorum, Secrecy
from referee.rules.ruleset import Option

_QUORUMS: Final = tuple(quorum.value for quorum in Quorum)
_SHARES: Final = f"one of {', '.join(_QUORUMS)}"


class StartRule(Enum):
    """The event for which a full game waits."""

    FULL = "full"
    """None."""
    GM = "gm"
    """The START of its GM."""


HOUSE_OPTIONS: Final = (
    Option("vote_extend", str, "majority", f"more time by vote: {_SHARES}", choices=_QUORUMS),
    Option("vote_hold", str, "two-thirds", f"a pause by vote: {_SHARES}", choices=_QUORUMS),
    Option("vote_draw", str, "all", f"a draw by vote: {_SHARES}", choices=_QUORUMS),
    Option("vote_concede", str, "all", f"conceding by vote: {_SHARES}", choices=_QUORUMS),
    Option("vote_end", str, "all", f"ending by vote: {_SHARES}", choices=_QUORUMS),
    Option(
        "secret_votes",
        str,
        "endings",
        "which votes are secret: none, endings (draw, concede, end) or all",
        choices=tuple(secrecy.value for secrecy in Secrecy),
    ),
    Option(
        "trust",
        str,
        "token",
        "token, or address where an email from a player's address needs no token or code",
        choices=("token", "address"),
    ),
    Option("vote_days", int, 3, "for how many days a vote is open, 1 to 30", 1, 30),
    Option(
        "early",
        int,
        15,
        "for how many minutes a turn waits after the last FINAL, 0 to 1440 (a day)",
        0,
        1440,
    ),
    Option(
        "fair",
        int,
        50,
        "how much of the usual time a turn has at least after one that ended early, in percent, "
        "0 to 100",
        0,
        100,
    ),
    Option(
        "start",
        str,
        "full",
        "when the game starts: full (all seats are taken) or gm (its GM writes START)",
        choices=tuple(rule.value for rule in StartRule),
    ),
    Option(
        "private",
        bool,
        default=False,
        sentence="whether LIST leaves the game out, and players join with a code (CODE shows it)",
    ),
    Option(
        "approve",
        bool,
        default=False,
        sentence="whether each JOIN waits for the APPROVE or REFUSE of the GM",
    ),
    Option(
        "reliability",
        int,
        0,
        "how reliable a person must be to join, in percent, if they have finished a game; 0 to 100",
        0,
        100,
    ),
    Option(
        "gm_watch",
        int,
        0,
        "how many hours before a deadline the GM hears who has not sent orders, 0 for never",
        0,
        336,
    ),
    Option(
        "awaited",
        bool,
        default=False,
        sentence="whether everyone sees whose orders are still awaited",
    ),
)
"""The referee's own options for every game; OPTION sets them at any time."""


def early_wait(chosen: Mapping[str, Any]) -> timedelta:
    """Return how long a turn waits after the last FINAL, by the options that a GM has *chosen*."""
    return timedelta(minutes=_with_defaults(chosen)["early"])


def fair_share(chosen: Mapping[str, Any]) -> int:
    """Return how much of its usual length a turn has after one that ended early, in percent."""
    share: int = _with_defaults(chosen)["fair"]
    return share


def gm_watch(chosen: Mapping[str, Any]) -> timedelta:
    """Return how long before a deadline GMs hear who has not sent orders; 0 for never."""
    return timedelta(hours=_with_defaults(chosen)["gm_watch"])


def _with_defaults(chosen: Mapping[str, Any]) -> dict[str, Any]:
    return {option.name: option.default for option in HOUSE_OPTIONS} | dict(chosen)


@dataclass(frozen=True, slots=True)
class VotingRules:
    """The voting rules of a game: quorum, secrecy, and how long votes are open."""

    quorums: Mapping[Motion, Quorum]
    secrecy: Secrecy
    length: timedelta

    @classmethod
    def of(cls, chosen: Mapping[str, Any]) -> "VotingRules":
        """Return the rules with the options that a GM has *chosen*, and defaults for the others."""
        options = _with_defaults(chosen)
        return cls(
            quorums={
                Motion.EXTEND: Quorum(options["vote_extend"]),
                Motion.HOLD: Quorum(options["vote_hold"]),
                # No option forbids it, so that nobody can hold a game for ever.
                Motion.RESUME: Quorum.MAJORITY,
                Motion.DRAW: Quorum(options["vote_draw"]),
                Motion.CONCEDE: Quorum(options["vote_concede"]),
                Motion.END: Quorum(options["vote_end"]),
                Motion.GM: Quorum.MAJORITY,
            },
            secrecy=Secrecy(options["secret_votes"]),
            length=timedelta(days=options["vote_days"]),
        )
