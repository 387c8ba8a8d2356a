"""Explanations: what orders mean, in plain English, from what their player can know."""

from collections.abc import Callable
from typing import Any, Final

from referee.rules.ruleset import Seat
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.industry import industry_price, scrap_price
from referee.rulesets.starweb.sight import Sight
from referee.rulesets.starweb.state import State


def explain(state: State, seat: Seat, order: o.Order) -> str:
    """Return one line that says what *order* means, from what the seat can know (s28)."""
    return _SENTENCES[type(order)](Sight(state, seat), order)


def _transfer_to_fleet(sight: Sight, order: o.TransferToFleet) -> str:
    to = _key(sight, order.to)
    return f"Fleet {order.fleet} gives {_ships(order.count)} to {to}{_at(sight, order.fleet)}."


def _transfer_to_home(sight: Sight, order: o.TransferToHome) -> str:
    guarded = _guarded(order.to)
    place = _place(sight, order.fleet)
    return f"Fleet {order.fleet} leaves {_ships(order.count)} to guard the {guarded} of {place}."


def _transfer_from_home(sight: Sight, order: o.TransferFromHome) -> str:
    ships = f"{order.count} of its {order.home.value}-Ships"
    return f"W{order.world} gives {ships} to {_key(sight, order.to)}."


def _transfer_between_homes(_: Sight, order: o.TransferBetweenHomes) -> str:
    other = o.Home.PEOPLE if order.home is o.Home.INDUSTRY else o.Home.INDUSTRY
    ships = f"{order.count} of its {order.home.value}-Ships"
    return f"W{order.world} moves {ships} to guard its {_guarded(other)}."


def _scrap(sight: Sight, order: o.ScrapShips) -> str:
    ships = order.count * scrap_price(sight.player)
    return f"W{order.world} scraps {ships} I-Ships and gets {order.count} industry."


def _build_home(_: Sight, order: o.BuildHomeShips) -> str:
    guarded = _guarded(order.to)
    return f"W{order.world} builds {_ships(order.count)} to guard its {guarded}."


def _build_fleet(sight: Sight, order: o.BuildFleetShips) -> str:
    return f"W{order.world} builds {_ships(order.count)} on {_key(sight, order.to)}."


def _build_industry(sight: Sight, order: o.BuildIndustry) -> str:
    price = order.count * industry_price(sight.player)
    return f"W{order.world} uses {price} industry to build {order.count} industry."


def _raise_limit(sight: Sight, order: o.RaiseLimit) -> str:
    price = order.count * industry_price(sight.player)
    return f"W{order.world} uses {price} industry to raise its population limit by {order.count}."


def _build_robots(_: Sight, order: o.BuildRobots) -> str:
    return f"W{order.world} uses {order.count} industry to build {2 * order.count} robots."


def _migrate(sight: Sight, order: o.MigratePeople) -> str:
    world = sight.world(order.world)
    one, several = ("robot", "robots") if world is not None and world.robots else _PEOPLE
    whom = one if order.count == 1 else several
    return f"W{order.world} sends {order.count} {whom} to W{order.to}."


def _migrate_converts(_: Sight, order: o.MigrateConverts) -> str:
    whom = "convert" if order.count == 1 else "converts"
    return f"W{order.world} sends {order.count} {whom} to W{order.to}."


def _move(sight: Sight, order: o.MoveFleet) -> str:
    fleet = sight.own_fleet(order.fleet)
    begin = f" from W{fleet.world}" if fleet is not None else ""
    worlds = [f"W{world}" for world in order.route]
    through = f" through {' and '.join(worlds[:-1])}" if worlds[:-1] else ""
    return f"Fleet {order.fleet} moves{begin}{through} to {''.join(worlds[-1:])}."


def _probe(_: Sight, order: o.ProbeFromFleet) -> str:
    return f"Fleet {order.fleet} uses up one ship to probe W{order.at}."


def _probe_from_home(_: Sight, order: o.ProbeFromHome) -> str:
    return f"W{order.world} uses up one of its {order.home.value}-Ships to probe W{order.at}."


def _load(sight: Sight, order: o.Load) -> str:
    metal = "all the metal it can carry" if order.count is None else f"{order.count} metal"
    return f"Fleet {order.fleet} loads {metal}{_at(sight, order.fleet)}."


def _unload(sight: Sight, order: o.Unload) -> str:
    metal, place = _cargo(order.count), _place(sight, order.fleet)
    return f"Fleet {order.fleet} unloads {metal} on {place}."


def _jettison(_: Sight, order: o.Jettison) -> str:
    return f"Fleet {order.fleet} throws {_cargo(order.count)} away."


def _unload_goods(sight: Sight, order: o.UnloadGoods) -> str:
    metal, place = _cargo(order.count), _place(sight, order.fleet)
    return f"Fleet {order.fleet} unloads {metal} as consumer goods on {place}."


def _hook(sight: Sight, order: o.HookArtifact) -> str:
    return f"Artifact {order.artifact} is hooked to {_key(sight, order.to)}."


def _drop_artifact(sight: Sight, order: o.DropArtifact) -> str:
    holder = sight.artifact(order.artifact)
    place = f"W{getattr(holder, 'world', holder.number)}" if holder is not None else "the world"
    return f"Artifact {order.artifact} is dropped on {place}."


def _fire_at_fleet(sight: Sight, order: o.FireAtFleet) -> str:
    shot = f"Fleet {order.fleet} fires at {_key(sight, order.at)}{_at(sight, order.fleet)}"
    return shot + _condition(order.trigger)


def _fire_at_world(sight: Sight, order: o.FireAtWorld) -> str:
    target = _TARGETS[order.aim]
    shot = f"Fleet {order.fleet} fires at the {target} of {_place(sight, order.fleet)}"
    return shot + _condition(order.trigger)


def _home_fire_at_fleet(sight: Sight, order: o.HomeFireAtFleet) -> str:
    shot = f"The {order.home.value}-Ships of W{order.world} fire at {_key(sight, order.at)}"
    return shot + _condition(order.trigger)


def _home_fire_at_converts(_: Sight, order: o.HomeFireAtConverts) -> str:
    shot = f"The {order.home.value}-Ships of W{order.world} fire at the converts there"
    return shot + _condition(order.trigger)


def _hold_ambush(_: Sight, order: o.HoldAmbush) -> str:
    place = "anywhere" if order.world is None else f"at W{order.world}"
    return f"You ambush nobody {place} this turn."


def _robots(sight: Sight, order: o.RobotAttack) -> str:
    landing = f"{_ships(order.count)} as {2 * order.count} robots"
    return f"Fleet {order.fleet} lands {landing} on {_place(sight, order.fleet)}."


_PEOPLE: Final = ("person", "people")
_TARGETS: Final = {
    o.Aim.INDUSTRY: "I-Ships, then the industry,",
    o.Aim.PEOPLE: "P-Ships, then the people,",
    o.Aim.HOME_FLEETS: "home fleets",
}

_SENTENCES: Final[dict[type[o.Order], Callable[[Sight, Any], str]]] = {
    o.TransferToFleet: _transfer_to_fleet,
    o.TransferToHome: _transfer_to_home,
    o.TransferFromHome: _transfer_from_home,
    o.TransferBetweenHomes: _transfer_between_homes,
    o.ScrapShips: _scrap,
    o.BuildHomeShips: _build_home,
    o.BuildFleetShips: _build_fleet,
    o.BuildIndustry: _build_industry,
    o.RaiseLimit: _raise_limit,
    o.BuildRobots: _build_robots,
    o.MigratePeople: _migrate,
    o.MigrateConverts: _migrate_converts,
    o.MoveFleet: _move,
    o.ProbeFromFleet: _probe,
    o.ProbeFromHome: _probe_from_home,
    o.Load: _load,
    o.Unload: _unload,
    o.Jettison: _jettison,
    o.UnloadGoods: _unload_goods,
    o.HookArtifact: _hook,
    o.DropArtifact: _drop_artifact,
    o.FireAtFleet: _fire_at_fleet,
    o.FireAtWorld: _fire_at_world,
    o.HomeFireAtFleet: _home_fire_at_fleet,
    o.HomeFireAtConverts: _home_fire_at_converts,
    o.HoldAmbush: _hold_ambush,
    o.DeclareAlly: lambda _, order: f"{order.name} is your ally until further notice.",
    o.DeclareNonAlly: lambda _, order: f"{order.name} is no longer your ally.",
    o.DeclareLoader: lambda _, order: f"{order.name} can load metal on your worlds from now on.",
    o.DeclareNonLoader: lambda _, order: f"{order.name} can no longer load metal on your worlds.",
    o.DeclareJihad: lambda _, order: f"You declare a jihad against {order.name}.",
    o.GiveFleet: lambda _, order: f"You give fleet {order.fleet} to {order.name}.",
    o.GiveWorld: lambda _, order: f"You give W{order.world} to {order.name}.",
    o.Plunder: lambda _, order: f"You plunder W{order.world}.",
    o.MakePeace: lambda _, order: f"Fleet {order.fleet} is at peace and captures nothing.",
    o.EndPeace: lambda _, order: f"Fleet {order.fleet} is no longer at peace and can capture.",
    o.BuildBomb: lambda _, order: f"Fleet {order.fleet} turns 25 ships into a planet buster bomb.",
    o.DropBomb: lambda sight, order: (
        f"Fleet {order.fleet} drops its planet buster bomb on {_place(sight, order.fleet)}."
    ),
    o.RobotAttack: _robots,
    o.PostSign: lambda _, order: f'Your sign: "{" / ".join(order.lines)}"',
    o.VoteEnding: lambda _, order: f"You vote to end the game at {order.score} points.",
}


def _ships(count: int) -> str:
    return "1 ship" if count == 1 else f"{count} ships"


def _cargo(count: int | None) -> str:
    return "all its metal" if count is None else f"{count} metal"


def _guarded(home: o.Home) -> str:
    return "industry" if home is o.Home.INDUSTRY else "people"


def _condition(trigger: o.Trigger) -> str:
    return ", if its owner fires at you there." if trigger is o.Trigger.CONDITIONAL else "."


def _key(sight: Sight, number: o.FleetNumber) -> str:
    """Return the words for a fleet, with its owner if it is seen and is not the player's own."""
    fleet = sight.fleet(number)
    if fleet is None or fleet.owner == sight.seat:
        return f"fleet {number}"
    owner = sight.owner_name(fleet)
    return f"{owner}'s fleet {number}" if owner else f"neutral fleet {number}"


def _place(sight: Sight, fleet: o.FleetNumber) -> str:
    own = sight.own_fleet(fleet)
    return f"W{own.world}" if own is not None else "its world"


def _at(sight: Sight, fleet: o.FleetNumber) -> str:
    own = sight.own_fleet(fleet)
    return f" at W{own.world}" if own is not None else ""
