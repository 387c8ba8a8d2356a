"""The first steps with the sheets: orders that exclude each other, and declarations."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import Any, Final

from referee.rules.turns import SheetOrder
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.rejections import HIGHEST_VOTE, LOWEST_VOTE, rejection
from referee.rulesets.starweb.sight import Sight
from referee.rulesets.starweb.state import Character
from referee.rulesets.starweb.turn_state import Turn

SIGN_LINES, SIGN_WIDTH = 2, 78
TYPED_FIRST: Final = "was typed first"
TWICE: Final = "this order was on your sheet twice, and counts once"
"""The end of the reason for an order that another one excludes."""

HOME_FIRE: Final = (o.HomeFireAtFleet, o.HomeFireAtConverts)
GIFTS: Final = (o.GiveFleet, o.GiveWorld)
MOST_GIFTS: Final = 2
MIGRATION: Final = (o.MigratePeople, o.MigrateConverts)
FLEET_ORDERS: Final = (
    o.MoveFleet,
    o.FireAtFleet,
    o.FireAtWorld,
    o.RobotAttack,
    o.DropBomb,
    o.GiveFleet,
)
"""The orders of which a fleet carries out one, and then does not ambush (s16, s29)."""

_ABOUT: Final[dict[tuple[str, str], tuple[type[o.Order], ...]]] = {
    ("fleet", "fleet"): FLEET_ORDERS,
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
"""The subject of each kind of order, and the name of the field that tells two apart (s29)."""


def exclude(turn: Turn) -> None:
    """Keep the first typed of orders that exclude each other; the others fail (s28, s29).

    Rejected orders come last, so that a mistake does not exclude its own correction.
    """
    for seat in turn.state.players.keys() & turn.sheets.keys():
        _limit_gifts(Sight(turn.state, seat), turn.sheets[seat])
        about: defaultdict[Hashable, list[SheetOrder[Any]]] = defaultdict(list)
        for one in turn.sheets[seat]:
            subject = None if one.failed else _subject(one.order)
            if subject is not None:
                about[subject].append(one)
        for rivals in about.values():
            if len(rivals) > 1:
                _choose(Sight(turn.state, seat), rivals)


def _limit_gifts(sight: Sight, sheet: Sequence[SheetOrder[Any]]) -> None:
    """Mark the gifts after the first two that can be as failed (s18, settled case 18).

    A gift that cannot be, or that an order typed before it excludes, uses none up. A gift too many
    excludes no other order.
    """
    if sum(isinstance(one.order, GIFTS) for one in sheet) <= MOST_GIFTS:
        return
    kept: defaultdict[Hashable, list[o.Order]] = defaultdict(list)
    gifts = 0
    for one in sheet:
        subject, is_gift = _subject(one.order), isinstance(one.order, GIFTS)
        if subject is None or rejection(sight, one.order) is not None:
            continue
        if any(_clash(other, one.order) for other in kept[subject]):
            continue
        if is_gift and gifts == MOST_GIFTS:
            one.fail(f"only the first {MOST_GIFTS} gifts of a turn count")
            continue
        gifts += is_gift
        kept[subject].append(one.order)


def _choose(sight: Sight, rivals: list[SheetOrder[Any]]) -> None:
    """Keep those orders about one thing that do not exclude each other; the others fail."""
    rejected = [one for one in rivals if rejection(sight, one.order) is not None]
    kept: list[SheetOrder[Any]] = []
    for one in (*(one for one in rivals if one not in rejected), *rejected):
        rival = next((other for other in kept if _clash(other.order, one.order)), None)
        if rival is None:
            kept.append(one)
        elif one in rejected and rival not in rejected:
            one.fail(f"{_first_line(rival.order)} counts instead")
        else:
            is_repeated = rival.order == one.order
            one.fail(TWICE if is_repeated else f"{_first_line(rival.order)} {TYPED_FIRST}")


def _first_line(order: o.Order) -> str:
    return o.ORDERS.render(order).split("\n", 1)[0]


def _subject(order: o.Order) -> Hashable | None:
    """Return the subject of the order, or None if it excludes no other order."""
    subject = SUBJECTS.get(type(order))
    if subject is None:
        return None
    what, name = subject
    about = getattr(order, name) if name else None
    return what, about.upper() if isinstance(about, str) else about


def _clash(kept: Any, order: Any) -> bool:
    """Return whether two orders about the same thing exclude each other (s29)."""
    kinds = {type(kept), type(order)}
    if kinds <= set(HOME_FIRE):
        return bool(kept.home is order.home)
    if kinds <= set(MIGRATION):
        return bool(kept.to != order.to)
    if o.Plunder in kinds:
        return kinds <= {o.Plunder, o.GiveWorld}
    return True


def declare(turn: Turn) -> None:
    """Declare and undeclare allies and loaders, with effect in this turn (s13, s17)."""
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
    """Declare a jihad of an Apostle. It ends only when another one is declared (s4F)."""
    for given in turn.given(o.DeclareJihad):
        if not turn.plays(given.seat, Character.APOSTLE):
            given.fail("only an Apostle can declare a jihad")
        elif (victim := turn.met(given)) is not None:
            turn.player(given.seat).jihad = victim


def set_peace(turn: Turn) -> None:
    """Start and end peace of fleets, with effect from step 2 on (s20, settled case 23)."""
    for given, fleet in turn.of_fleets(o.MakePeace, o.EndPeace):
        fleet.at_peace = isinstance(given.order, o.MakePeace)


def hold_ambushes(turn: Turn) -> None:
    """Record where a player ambushes nobody this turn (s16)."""
    for given in turn.given(o.HoldAmbush):
        number = given.order.world
        if number is not None and number not in turn.state.worlds:
            given.fail(f"there is no W{number}")
        else:
            turn.calm.add((given.seat, number))


def post_signs(turn: Turn) -> None:
    """Post the signs, one or two lines each (s26)."""
    for given in turn.given(o.PostSign):
        lines = given.order.lines
        if not 1 <= len(lines) <= SIGN_LINES or any(len(line) > SIGN_WIDTH for line in lines):
            given.fail(f"a sign has one or two lines of at most {SIGN_WIDTH} characters")
        elif turn.player(given.seat).sign != tuple(lines):
            turn.player(given.seat).sign = tuple(lines)
            turn.new_signs.add(given.seat)


def count_votes(turn: Turn) -> None:
    """Count the votes for the ending score, only on turn 1 (s30)."""
    for given in turn.given(o.VoteEnding):
        if turn.state.turn != 1:
            given.fail("you can vote for the ending score only on turn 1")
        elif not LOWEST_VOTE <= given.order.score <= HIGHEST_VOTE:
            given.fail(f"the ending score must be from {LOWEST_VOTE} to {HIGHEST_VOTE}")
        else:
            turn.player(given.seat).ending = given.order.score
