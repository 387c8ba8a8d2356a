"""Rulings on a sheet before the deadline, with reasons; and the orders of a seat that sent none."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from referee.rules.ruleset import Outcome, Ruling, RulingKind, Seat
from referee.rules.turns import NO_SEAT
from referee.rules.wording import accepted, listed, rejected, warned
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.foresight import foresee
from referee.rulesets.starweb.rejections import rejection
from referee.rulesets.starweb.sight import Sight
from referee.rulesets.starweb.state import Character, Fleet, State, World
from referee.rulesets.starweb.steps.gifts import OTHERS_PLUNDER, RECOVERY_TURNS
from referee.rulesets.starweb.steps.sheets import TWICE, TYPED_FIRST

_WITH_SHIPS: Final = (o.MoveFleet, o.TransferToFleet, o.TransferToHome)
"""Orders that fail for want of ships in words for a fleet that had some."""


def validate(state: State, seat: Seat, orders: Sequence[o.Order]) -> Sequence[Ruling]:
    """Return one ruling for each order of a sheet, from what the seat can know (s28, s29).

    The turn is resolved in the galaxy as the seat knows it, with no orders of other players. An
    order that fails there is rejected with the same reason; if it depends on others, it is warned.
    """
    if seat not in state.players:
        return [rejected(NO_SEAT) for _ in orders]
    sight, resolved = Sight(state, seat), foresee(state, seat, orders).resolution.outcomes[seat]
    done = [order for order, outcome in resolved if outcome.done]
    return [_ruling(sight, order, outcome, done) for order, outcome in resolved]


def _ruling(sight: Sight, order: o.Order, outcome: Outcome, done: Sequence[o.Order]) -> Ruling:
    if (wrong := rejection(sight, order)) is not None:
        return Ruling(RulingKind.REJECTED, wrong)
    if not outcome.done:
        reason = outcome.reason.rstrip(".")
        if reason.casefold() == TWICE and order in done:
            return warned("This order is on the sheet twice. It counts once.")
        if reason.endswith(TYPED_FIRST):
            return rejected(f"{outcome.reason} You can give only one of these two orders")
        if (depends := _condition(sight, order)) is not None:
            return warned(depends)
        return rejected(_of_empty_fleet(sight, order, done) or outcome.reason)
    warnings = [*filter(None, (outcome.reason, _warning(sight, order, done)))]
    return warned(" ".join(warnings)) if warnings else accepted()


def _of_empty_fleet(sight: Sight, order: Any, done: Sequence[o.Order]) -> str:
    """Return why an order fails to a fleet that has no ships and gets none, or "" for another."""
    fleet = sight.own_fleet(order.fleet) if isinstance(order, _WITH_SHIPS) else None
    if fleet is None or fleet.ships or any(_fills(sight, each, fleet.number) for each in done):
        return ""
    return f"F{fleet.number} has no ships"


def _warning(sight: Sight, order: o.Order, done: Sequence[o.Order]) -> str | None:
    """Return the warning on an accepted order that may surprise its player, or None.

    *done* are the orders of the sheet that can be carried out.
    """
    match order:
        case o.MoveFleet():
            return _of_move(sight, order, done)
        case o.TransferToFleet(to=key) | o.TransferFromHome(to=key) | o.BuildFleetShips(to=key) if (
            sight.own_fleet(key) is None
        ):
            return _of_present(sight, key)
        case o.FireAtFleet(at=key) | o.HomeFireAtFleet(at=key):
            return _of_target(sight, key)
        case o.FireAtWorld():
            return _of_world_target(sight, order, done)
        case o.HomeFireAtConverts(world=number):
            return _of_converts(sight, number)
        case o.RobotAttack(fleet=number) | o.DropBomb(fleet=number):
            return _of_landing(sight, number)
        case o.Plunder() if sight.player.character is not Character.PIRATE:
            return (
                f"You are no Pirate. Plundering costs you {-OTHERS_PLUNDER} points, and "
                f"W{order.world} builds, mines and grows nothing for {RECOVERY_TURNS} turns."
            )
        case o.GiveWorld(world=number) if number == sight.player.home:
            return f"W{number} is your home world."
        case _:
            return None


def _condition(sight: Sight, order: o.Order) -> str | None:
    """Return the condition under which an order works that seems to fail, or None.

    The condition depends on other players, in ways that this player cannot see.
    """
    match order:
        case o.Load(fleet=number) if (fleet := sight.own_fleet(number)) is not None:
            return _of_loading(sight, sight.world(fleet.world))
        case o.HookArtifact(to=key):
            fleet = sight.fleet(key)
            if fleet is not None and fleet.owner not in (None, sight.seat):
                owner = sight.owner_name(fleet)
                return f"You can hook it to F{key} only if {owner} is an Artifact Collector."
        case o.GiveWorld(world=number, name=name):
            world = sight.own_world(number)
            if world is not None and world.robots:
                return f"Robots live on W{number}. You can give it only if {name} is a Berserker."
        case o.HoldAmbush(world=number):
            return f"W{number} has never been in one of your reports."
        case o.Plunder(world=number):
            world = sight.own_world(number)
            if world is not None and not world.recovery:
                return f"You can plunder W{number} only if you keep it this turn."
        case o.HomeFireAtConverts():
            return _of_coming_converts(sight, order)
        case _:
            pass
    return None


def _of_loading(sight: Sight, world: World | None) -> str | None:
    if world is None or world.owner in (None, sight.seat):
        return None
    owner = sight.owner_name(world)
    return f"You can load at W{world.number} only if {owner} has made you a loader."


def _of_coming_converts(sight: Sight, order: o.HomeFireAtConverts) -> str | None:
    world, fleets = sight.own_world(order.world), sight.state.fleets.values()
    if world is None or not (world.iships if order.home is o.Home.INDUSTRY else world.pships):
        return None
    if any(each.world == world.number and each.owner is not None and each.ships for each in fleets):
        return f"W{world.number} has no converts. You fire only if ships make some this turn."
    return None


def _of_move(sight: Sight, order: o.MoveFleet, done: Sequence[o.Order]) -> str | None:
    fleet = sight.own_fleet(order.fleet)
    if fleet is None:
        return None
    route = (fleet.world, *order.route)
    for world in order.route:
        if sight.is_black_hole(world):
            return f"W{world} is a black hole. All ships that enter it are lost."
    for here, there in pairwise(route):
        if sight.gates(here) is None and sight.gates(there) is None:
            stays = f"If none leads to W{there}, F{order.fleet} does not move."
            return f"You have not seen the gates of W{here}. {stays}"
    if not fleet.ships:
        givers = [o.ORDERS.render(other) for other in done if _fills(sight, other, order.fleet)]
        orders = listed([*dict.fromkeys(givers)][:3])
        return f"F{order.fleet} has no ships yet. It moves only with the ships from {orders}."
    return None


def _fills(sight: Sight, order: Any, key: o.FleetNumber) -> bool:
    """Return whether an order that was not rejected brings ships to a fleet."""
    kinds = (o.TransferToFleet, o.TransferFromHome, o.BuildFleetShips)
    return isinstance(order, kinds) and order.to == key and rejection(sight, order) is None


def _of_present(sight: Sight, key: o.FleetNumber) -> str | None:
    fleet = sight.fleet(key)
    if fleet is None:
        return None
    if fleet.owner is None:
        return f"F{key} is neutral and stays neutral. You lose these ships."
    owner = sight.owner_name(fleet)
    return f"F{key} belongs to {owner}. The ships are a gift to {owner}."


def _of_target(sight: Sight, key: o.FleetNumber) -> str | None:
    fleet = sight.fleet(key)
    if fleet is None:
        return None
    if fleet.owner == sight.seat:
        return f"F{key} is your own fleet."
    if fleet.owner is not None and fleet.owner in sight.player.allies:
        return f"F{key} belongs to {sight.owner_name(fleet)}, your ally."
    return None


def _of_world_target(sight: Sight, order: o.FireAtWorld, done: Sequence[o.Order]) -> str | None:
    fleet = sight.own_fleet(order.fleet)
    world = sight.world(fleet.world) if fleet is not None else None
    if world is None:
        return None
    if world.owner == sight.seat:
        shot_in_jihad = order.aim is o.Aim.PEOPLE and _is_given_to_victim(sight, world, done)
        price = (_price_in_jihad if shot_in_jihad else _price_of_fire)(sight, order, world)
        return f"W{world.number} is your own world.{price}"
    if order.aim is o.Aim.PEOPLE and (whose := _whose_converts(sight, world)):
        return f"Converts on W{world.number} {whose}, and some can be killed."
    if world.owner is not None and world.owner in sight.player.allies:
        return f"W{world.number} belongs to {sight.owner_name(world)}, your ally."
    return None


def _is_given_to_victim(sight: Sight, world: World, done: Sequence[o.Order]) -> bool:
    """Return whether the sheet gives a world to the victim of the jihad (settled case 35)."""
    declared = [sight.named(order.name) for order in done if isinstance(order, o.DeclareJihad)]
    victim = declared[0] if declared else sight.player.jihad
    gifts = [order for order in done if isinstance(order, o.GiveWorld)]
    return victim is not None and any(
        gift.world == world.number and sight.named(gift.name) == victim for gift in gifts
    )


def _of_converts(sight: Sight, number: o.WorldNumber) -> str | None:
    """Warn of fire by home fleets at converts, with its price (s4F, s15, settled case 35)."""
    world = sight.own_world(number)
    if world is None or not world.converts:
        return None
    whose = _whose_converts(sight, world)
    what = [f"The converts on W{number} {whose}."] if whose else []
    price = _price_of_shots(sight, "each convert killed")
    return " ".join([*what, *filter(None, [price])]) or None


def _whose_converts(sight: Sight, world: World) -> str:
    """Return words for the owner of converts who is the player or an ally, or ""."""
    if world.converts and world.apostle == sight.seat:
        return "are your own"
    if world.converts and world.apostle is not None and world.apostle in sight.player.allies:
        return f"are those of {sight.state.players[world.apostle].name}, your ally"
    return ""


def _of_landing(sight: Sight, number: o.FleetNumber) -> str | None:
    """Warn of robots and bombs that a fleet drops on a world of the player's own."""
    fleet = sight.own_fleet(number)
    world = sight.own_world(fleet.world) if fleet is not None else None
    return f"W{world.number} is your own world." if world is not None else None


def _price_in_jihad(sight: Sight, _order: o.FireAtWorld, world: World) -> str:
    """Return the price of fire at the people of the jihad's victim (s4F, settled case 35)."""
    own = world.converts and world.apostle == sight.seat
    return " You lose a point for each of your own converts killed." if own else ""


def _price_of_fire(sight: Sight, order: o.FireAtWorld, world: World) -> str:
    """Return the price of fire at one's own world, besides its losses (s4E, s4F, s15)."""
    hits_people = order.aim is o.Aim.PEOPLE and not world.robots
    lost = _price_of_shots(sight, "each of its people killed" if hits_people else "")
    neutral = order.aim is o.Aim.HOME_FLEETS
    spare = "It becomes neutral if two shots are left over." if neutral else ""
    return "".join(f" {each}" for each in (lost, spare) if each)


def _price_of_shots(sight: Sight, killed: str) -> str:
    """Return the points lost for each shot and for what is *killed*, or "" (s4E, s4F)."""
    character = sight.player.character
    costs = ["each shot"] if character is Character.APOSTLE else []
    if killed and character is not Character.BERSERKER:
        costs.append(killed)
    return f"You lose a point for {listed(costs)}." if costs else ""


def defaults(state: State, seat: Seat, standing: Sequence[o.Order]) -> Sequence[o.Order]:
    """Return the standing orders or, without any, a conditional fire order for each fleet (s31).

    The target is the largest fleet there that belongs to neither the player nor an ally. Of equal
    fleets the target is the one with the lower number (settled case 26). Industry builds I-Ships
    without an order.
    """
    if standing:
        return tuple(standing)
    there: defaultdict[o.WorldNumber, list[Fleet]] = defaultdict(list)
    friends = {seat, *state.players[seat].allies}
    for fleet in state.fleets.values():
        if fleet.ships and fleet.owner is not None and fleet.owner not in friends:
            there[fleet.world].append(fleet)
    return tuple(
        o.FireAtFleet(fleet.number, o.Trigger.CONDITIONAL, _largest(there[fleet.world]).number)
        for _, fleet in sorted(state.fleets.items())
        if fleet.owner == seat and fleet.ships and there[fleet.world]
    )


def _largest(fleets: list[Fleet]) -> Fleet:
    return min(fleets, key=lambda fleet: (-fleet.ships, fleet.number))
