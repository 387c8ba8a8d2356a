"""The first look at the sheets: orders that exclude each other, and what is declared."""

from collections import defaultdict
from collections.abc import Hashable
from typing import Any, Final

from referee.rules.turns import SheetOrder
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.language import render
from referee.rulesets.starweb.rejections import HIGHEST_VOTE, LOWEST_VOTE, objection
from referee.rulesets.starweb.sight import Sight
from referee.rulesets.starweb.state import Character
from referee.rulesets.starweb.turn_state import Turn

SIGN_LINES, SIGN_WIDTH = 2, 78

HOME_FIRE: Final = (o.HomeFireAtFleet, o.HomeFireAtConverts)
MIGRATION: Final = (o.MigratePeople, o.MigrateConverts)

_ABOUT: Final[dict[tuple[str, str], tuple[type[o.Order], ...]]] = {
    ("fleet", "fleet"): (
        o.MoveFleet,
        o.FireAtFleet,
        o.FireAtWorld,
        o.RobotAttack,
        o.DropBomb,
        o.GiveFleet,
    ),
    ("world", "world"): (*HOME_FIRE, *MIGRATION, o.GiveWorld, o.Plunder),
    ("artifact", "artifact"): (o.HookArtifact, o.DropArtifact),
    ("peace", "fleet"): (o.MakePeace, o.EndPeace),
    ("ally", "name"): (o.DeclareAlly, o.DeclareNonAlly),
    ("loader", "name"): (o.DeclareLoader, o.DeclareNonLoader),
    ("jihad", ""): (o.DeclareJihad,),
    ("sign", ""): (o.PostSign,),
    ("vote", ""): (o.VoteEnding,),
}
SUBJECTS: Final = {kind: about for about, kinds in _ABOUT.items() for kind in kinds}
"""What an order is about, and its value that says about which one of them (s29)."""


def exclude(turn: Turn) -> None:
    """Let the first typed of orders that exclude each other count; the others fail (s28, s29).

    One that was refused when it was sent gives way to those that were not, so that a slip does
    not forbid its own correction.
    """
    for seat in turn.state.players.keys() & turn.sheets.keys():
        about: defaultdict[Hashable, list[SheetOrder[Any]]] = defaultdict(list)
        for one in turn.sheets[seat]:
            if (subject := _subject(one.order)) is not None:
                about[subject].append(one)
        for rivals in about.values():
            if len(rivals) > 1:
                _choose(Sight(turn.state, seat), rivals)


def _choose(sight: Sight, rivals: list[SheetOrder[Any]]) -> None:
    """Let of the orders about one thing only those count that do not exclude each other."""
    refused = [one for one in rivals if objection(sight, one.order) is not None]
    held: list[SheetOrder[Any]] = []
    for one in (*(one for one in rivals if one not in refused), *refused):
        rival = next((other for other in held if _clash(other.order, one.order)), None)
        if rival is None:
            held.append(one)
        elif one in refused and rival not in refused:
            one.fail(f"{render(rival.order)} stands in its place")
        else:
            one.fail(f"{render(rival.order)} was typed first")


def _subject(order: o.Order) -> Hashable | None:
    """Return what only so many orders can be about; None when an order excludes no other."""
    subject = SUBJECTS.get(type(order))
    if subject is None:
        return None
    what, name = subject
    about = getattr(order, name) if name else None
    return what, about.upper() if isinstance(about, str) else about


def _clash(held: Any, order: Any) -> bool:
    """Return whether two orders about the same thing exclude each other (s29)."""
    kinds = {type(held), type(order)}
    if kinds <= set(HOME_FIRE):
        return bool(held.home is order.home)
    if kinds <= set(MIGRATION):
        return bool(held.to != order.to)
    if o.Plunder in kinds:
        return kinds <= {o.Plunder, o.GiveWorld}
    return True


def declare(turn: Turn) -> None:
    """Make allies and loaders, and unmake them; they count from now on (s13, s17)."""
    for given in turn.given(o.DeclareAlly, o.DeclareNonAlly, o.DeclareLoader, o.DeclareNonLoader):
        other = turn.met(given)
        if other is None:
            continue
        player = turn.player(given.seat)
        match given.order:
            case o.DeclareAlly():
                player.allies.add(other)
            case o.DeclareNonAlly():
                player.allies.discard(other)
            case o.DeclareLoader():
                player.loaders.add(other)
            case _:
                player.loaders.discard(other)


def declare_jihad(turn: Turn) -> None:
    """Turn an Apostle's holy war on a player; it never ends but for another (s4F)."""
    for given in turn.given(o.DeclareJihad):
        if not turn.plays(given.seat, Character.APOSTLE):
            given.fail("only an Apostle declares a jihad")
        elif (victim := turn.met(given)) is not None:
            turn.player(given.seat).jihad = victim


def set_peace(turn: Turn) -> None:
    """Put fleets at peace and end it; it counts from step 2 (s20, settled case 23)."""
    for given, fleet in turn.of_fleets(o.MakePeace, o.EndPeace):
        fleet.at_peace = isinstance(given.order, o.MakePeace)


def hold_ambushes(turn: Turn) -> None:
    """Note where a player wants nobody ambushed this turn (s16)."""
    for given in turn.given(o.HoldAmbush):
        number = given.order.world
        if number is not None and number not in turn.state.worlds:
            given.fail(f"there is no W{number}")
        else:
            turn.calm.add((given.seat, number))


def post_signs(turn: Turn) -> None:
    """Put up the signs, one or two lines each (s26)."""
    for given in turn.given(o.PostSign):
        lines = given.order.lines
        if not 1 <= len(lines) <= SIGN_LINES or any(len(line) > SIGN_WIDTH for line in lines):
            given.fail(f"a sign has one or two lines of at most {SIGN_WIDTH} characters")
        elif turn.player(given.seat).sign != tuple(lines):
            turn.player(given.seat).sign = tuple(lines)
            turn.new_signs.add(given.seat)


def count_votes(turn: Turn) -> None:
    """Take the votes for the ending score, on the first turn alone (s30)."""
    for given in turn.given(o.VoteEnding):
        if turn.state.turn != 1:
            given.fail("the ending score is voted on turn 1")
        elif not LOWEST_VOTE <= given.order.score <= HIGHEST_VOTE:
            given.fail(f"the ending score lies between {LOWEST_VOTE} and {HIGHEST_VOTE}")
        else:
            turn.player(given.seat).ending = given.order.score
