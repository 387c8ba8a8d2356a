"""Robots that play The Singularity Trap by email, from only the text of their reports."""

from typing import ClassVar, Final

from referee.rules.extras import Strength
from referee.rules.ruleset import Seat, SignUp
from referee.testing.golden import Beginning
from referee.testing.golden_games import GoldenGame
from referee.testing.robots.cast import Cast, Contest, Role
from referee.testing.robots.singularity.plan import Plan
from referee.testing.robots.singularity.robot import Robot


class Loner(Robot):
    """A robot without allies that fires at the strongest players first."""

    builds: ClassVar[str] = "FFCFRB"
    odds: ClassVar[int] = 2

    def fight(self, plan: Plan) -> None:
        """Fire at the strongest players first."""
        super().fight(plan)
        strongest = self.others(plan.war)[:2]
        plan.add("K" + ",".join(f"P{number}" for number in strongest))


class Diplomat(Robot):
    """A robot that allies with the next player in the list and declares a faction of two.

    It leaves its ally when it has more than half of the planets.
    """

    builds: ClassVar[str] = "FTFRSF"
    doctrine: ClassVar[str] = "KW"

    def negotiate(self, plan: Plan) -> None:
        """Ask for the alliance, and declare a faction as soon as it can win."""
        super().negotiate(plan)
        war = plan.war
        partner = war.number + 1 if war.number % 2 else war.number - 1
        alone = 2 * war.me.planets > len(war.planets)
        self.set_allies(plan, frozenset({partner} & {*self.others(war)} if not alone else ()))
        if self.allied(war)[partner] + war.me.planets >= war.to_win:
            plan.add(f"FAC{partner}")


class Vassal(Robot):
    """A robot that follows the first player of the list while that player is there."""

    builds: ClassVar[str] = "FJTFJF"
    doctrine: ClassVar[str] = "KT,B,C"

    def negotiate(self, plan: Plan) -> None:
        """Ask the first player for an alliance."""
        super().negotiate(plan)
        self.set_allies(plan, frozenset({1} & {*self.others(plan.war)}))


NAMES: Final = ("ABBOT", "BISHOP", "CANTOR", "DEAN", "EXARCH", "FRIAR")


def _lineup(players: int) -> tuple[SignUp, ...]:
    return tuple(SignUp(Seat(number), name) for number, name in enumerate(NAMES[:players], 1))


def _war(name: str, seed: bytes, players: int, **options: int | str | bool) -> GoldenGame:
    """Return a golden game, played to its verdict."""
    named = {name.replace("__", "."): value for name, value in options.items()}
    return GoldenGame(
        file=f"tests/rulesets/singularity/golden/{name}.txt",
        beginning=Beginning(_lineup(players), named, seed),
        turns=80,
        followed=frozenset({"ABBOT"}),
    )


CAST: Final = Cast(
    creation="""\
CREATE SINGULARITY SEATS 4 TITLE "The Demonstration"
DEADLINE "5 minutes" OPTION early=0
OPTION mode=two
""",
    roles=(
        Role("ABBOT", "AS red", Strength.HARD),
        Role("BISHOP", "AS blue OR green", Strength.NORMAL),
        Role("CANTOR", "AS orange", Strength.HARD),
        Role("DEAN", strength=Strength.EASY),
    ),
    turns=10,
    ends=False,
    typos="S17 W99B1F\n",
    opening=4,
    golden={
        "single": _war("single", b"d", 4),
        "alone": _war("alone", b"a", 4),
        "two": _war("two", b"e", 6, mode="two"),
        "full": _war("full", b"c", 3, mode="full", board__radius=2),
    },
    contest=Contest(
        lineups=(_lineup(4), _lineup(2)),
        turns=20,
        score=lambda state, seat: len(state.planets_of(seat)),
    ),
)
"""Four robots, for five turns of two batches."""
