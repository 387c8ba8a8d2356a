"""The galaxy as one player sees it: the worlds and fleets of the last report, and gates."""

from itertools import chain

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.orders import ArtifactNumber, FleetNumber, WorldNumber
from referee.rulesets.starweb.state import Fleet, State, World


class Sight:
    """The state as *seat* sees it. No result depends on what the seat cannot know."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state = state
        self.seat = seat
        self.player = state.players[seat]

    def world(self, number: WorldNumber) -> World | None:
        """Return a world of the last report, or None, whether it exists or not."""
        return self.state.worlds.get(number) if number in self.player.worlds else None

    def fleet(self, number: FleetNumber) -> Fleet | None:
        """Return a fleet of the last report, or None, whether it exists or not."""
        fleet = self.state.fleets.get(number)
        world = self.world(fleet.world) if fleet is not None else None
        # A key in a black hole moves to an unknown world at the start of the next turn.
        return fleet if world is not None and not world.black_hole else None

    def own_fleet(self, number: FleetNumber) -> Fleet | None:
        """Return a fleet of the player's own, or None."""
        fleet = self.fleet(number)
        return fleet if fleet is not None and fleet.owner == self.seat else None

    def own_world(self, number: WorldNumber) -> World | None:
        """Return a world of the player's own, or None."""
        world = self.world(number)
        return world if world is not None and world.owner == self.seat else None

    def gates(self, number: WorldNumber) -> tuple[WorldNumber, ...] | None:
        """Return the gates of a world as a report last showed them, or None if none ever did."""
        if (world := self.world(number)) is not None:
            return world.gates
        gates = self.player.charted.get(number)
        return tuple(sorted(gates)) if gates is not None else None

    def is_black_hole(self, number: WorldNumber) -> bool:
        """Return whether a world is known to be a black hole."""
        known = self.gates(number) is not None and number in self.state.worlds
        return known and self.state.worlds[number].black_hole

    def artifact(self, number: ArtifactNumber) -> World | Fleet | None:
        """Return the player's own world or fleet that has the artifact, or None."""
        for holder in chain[World | Fleet](self.state.worlds.values(), self.state.fleets.values()):
            if number in holder.artifacts and holder.owner == self.seat:
                return holder
        return None

    def named(self, name: str) -> Seat | None:
        """Return the player of that name if met, or None, whether there is one or not."""
        for seat in self.player.met:
            if self.state.players[seat].name.upper() == name.upper():
                return seat
        return None

    def names(self) -> tuple[str, ...]:
        """Return the names of the players met."""
        return tuple(self.state.players[seat].name.upper() for seat in self.player.met)

    def owner_name(self, thing: World | Fleet) -> str:
        """Return the name of the owner of something seen, or "" if it is neutral."""
        return "" if thing.owner is None else self.state.players[thing.owner].name
