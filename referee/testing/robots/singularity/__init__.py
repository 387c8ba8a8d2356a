"""Robots that play The Singularity Trap by email, from only the text of their reports."""

from typing import ClassVar, Final

from referee.rules.ruleset import Seat, SignUp
from referee.testing.golden import Beginning
from referee.testing.golden_games import GoldenGame, robots
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


class Emperor(Robot):
    """A robot that seeks two allies and declares an empire over them."""

    builds: ClassVar[str] = "FFTRFC"
    doctrine: ClassVar[str] = "KC,B,J"

    def negotiate(self, plan: Plan) -> None:
        """Ask two players for alliances, and declare an empire when the three can win."""
        super().negotiate(plan)
        war = plan.war
        self.set_allies(plan, self.partners or frozenset(sorted(self.others(war))[:2]))
        allies = self.allied(war).most_common(2)
        together = war.me.planets + sum(planets for _, planets in allies)
        if len(allies) == 2 and war.me.planets >= war.dominant and together >= war.to_win:
            plan.add("EMP" + ",".join(str(number) for number, _ in allies))


NAMES: Final = ("ABBOT", "BISHOP", "CANTOR", "DEAN", "EXARCH", "FRIAR")


def _lineup(players: int) -> tuple[SignUp, ...]:
    return tuple(SignUp(Seat(number), name) for number, name in enumerate(NAMES[:players], 1))


def _war(
    name: str, seed: bytes, players: tuple[type[Robot], ...], **options: int | str | bool
) -> GoldenGame:
    """Return a golden game, played to its verdict."""
    seats = _lineup(len(players))
    named = {name.replace("__", "."): value for name, value in options.items()}
    return GoldenGame(
        folder=f"tests/rulesets/singularity/golden/{name}",
        beginning=Beginning(seats, named, seed),
        turns=80,
        robots=robots(dict(zip(NAMES, players, strict=False))),
    )


_FOUR: Final = (Diplomat, Diplomat, Vassal, Loner)
_SIX: Final = (Emperor, Vassal, Vassal, Loner, Diplomat, Diplomat)

CAST: Final = Cast(
    creation="""\
CREATE SINGULARITY SEATS 4 TITLE "The Demonstration"
DEADLINE "5 minutes" OPTION early=0
OPTION mode=two
""",
    roles=(
        Role("ABBOT", Diplomat, "AS red"),
        Role("BISHOP", Diplomat, "AS blue OR green"),
        Role("CANTOR", Vassal, "AS orange"),
        Role("DEAN", Loner),
    ),
    turns=10,
    ends=False,
    typos="S17 W99B1F\n",
    opening=4,
    golden={
        "single": _war("single", b"d", _FOUR),
        "alone": _war("alone", b"a", _FOUR),
        "two": _war("two", b"e", _SIX, mode="two"),
        "full": _war("full", b"c", (Loner, Diplomat, Vassal), mode="full", board__radius=2),
    },
    contest=Contest(
        lineups=(_lineup(4), _lineup(2)),
        turns=20,
        score=lambda state, seat: len(state.planets_of(seat)),
    ),
)
"""Two diplomats, a vassal and a loner, for five turns of two batches."""
