"""Warnings about orders that are accepted but may surprise their player."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from referee.rules.wording import listed
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.rejections import rejection
from referee.rulesets.starweb.sight import Sight
from referee.rulesets.starweb.state import Character, World
from referee.rulesets.starweb.steps.gifts import OTHERS_PLUNDER, RECOVERY_TURNS


def warning(sight: Sight, order: o.Order, done: Sequence[o.Order]) -> str | None:
    """Return what may surprise the player about an accepted order, or None.

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


def condition(sight: Sight, order: o.Order) -> str | None:
    """Return the condition under which an order works that seems to fail, or None.

    The condition depends on other players, in ways that this player cannot see.
    """
    match order:
        case o.Load(fleet=number) if (fleet := sight.own_fleet(number)) is not None:
            world = sight.world(fleet.world)
            if world is not None and world.owner not in (None, sight.seat):
                owner = sight.owner_name(world)
                return f"You can load at W{world.number} only if {owner} has made you a loader."
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
        case _:
            pass
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
        givers = [o.ORDERS.render(other) for other in done if fills(sight, other, order.fleet)]
        orders = listed([*dict.fromkeys(givers)][:3])
        return f"F{order.fleet} has no ships yet. It moves only with the ships from {orders}."
    return None


def fills(sight: Sight, order: Any, key: o.FleetNumber) -> bool:
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
    """Return that the converts on a world are the player's own or an ally's, or ""."""
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
    """Return what fire at the people of the victim of the jihad costs (s4F, settled case 35)."""
    own = world.converts and world.apostle == sight.seat
    return " You lose a point for each of your own converts killed." if own else ""


def _price_of_fire(sight: Sight, order: o.FireAtWorld, world: World) -> str:
    """Return what fire at one's own world costs in addition to what it hits (s4E, s4F, s15)."""
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
