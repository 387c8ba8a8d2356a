"""Reports: what the printout shows a seat of the state (s27)."""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.views import Table, Verbatim, View
from referee.rules.wording import counted
from referee.rulesets.starweb.orders import WorldNumber
from referee.rulesets.starweb.state import Echo, Fleet, Player, State, World
from referee.rulesets.starweb.steps.blackbox import POWERS
from referee.rulesets.starweb.text import (
    WIDTH,
    Acquaintance,
    FleetRecord,
    Holdings,
    OrderEcho,
    Printout,
    Relation,
    Sign,
    WorldRecord,
    fleet_record,
    fleets_at,
    render_printout,
    world_record,
)

_RELATIONS: Final = {
    (False, False): Relation.MET,
    (True, False): Relation.ALLY,
    (False, True): Relation.LOADER,
    (True, True): Relation.ALLY_LOADER,
}
"""The relations by whether a player is an ally and whether a loader."""


def view(state: State, seat: Seat | None, deadline: str) -> View:
    """Return the printout of a seat, or for an observer (None) what is public.

    A printout is exact to the character, in plain ASCII and 78 columns wide. Before the end it is
    secret which player has which score (s30), so an observer only sees the scores.
    """
    if seat is None:
        return (_public(state),)
    return (Verbatim(render_printout(printout(state, seat, deadline)), wraps=True),)


def printout(state: State, seat: Seat, deadline: str) -> Printout:
    """Return the printout of *seat* (s27)."""
    player = state.players[seat]
    return Printout(
        game=state.game,
        turn=state.turn,
        name=player.name,
        character=player.character,
        holdings=_holdings(state, seat),
        acquaintances=tuple(_acquaintance(state, player, other) for other in player.met),
        worlds=tuple(_shown_world(state, seat, number) for number in sorted(player.worlds)),
        seen=tuple(state.players[other].name for other in player.seen),
        scores=tuple(sorted(state.players[other].score for other in player.seen)),
        signs=tuple(_sign(state.players[other]) for other in player.signs),
        echo=_echo(player.echo) if state.turn > 1 else None,
        due=" ".join(plain(deadline).split()),
    )


def template(state: State, seat: Seat) -> Sequence[str]:
    """Return lines for an order sheet: orders to complete, each one a comment.

    Sent back unchanged, they order nothing.
    """
    lines = [
        "# To use an order, complete it and delete the # in front of it.",
        *_building(state, seat),
        *_moving(state, seat),
    ]
    if state.turn == 1:
        lines.append(_suggestion("ENDING 8000", "your vote for the score that ends the game"))
    return lines


def plain(text: str) -> str:
    """Return *text* in ASCII, without accents and with a question mark for other characters."""
    folded = "".join(
        character
        for character in unicodedata.normalize("NFKD", text)
        if not unicodedata.combining(character)
    )
    return "".join(character if " " <= character <= "~" else "?" for character in folded)


def _public(state: State) -> Table:
    players = sorted(state.players.values(), key=lambda player: (-player.score, player.name))
    if state.finished:
        rows = tuple((player.name, str(player.score)) for player in players)
        return Table(("Player", "Score"), rows, title=f"The game ended after turn {state.turn - 1}")
    scores = tuple((str(player.score),) for player in players)
    return Table(("Score",), scores, title=f"Turn {state.turn}, {len(players)} players")


def _holdings(state: State, seat: Seat) -> Holdings:
    worlds = [world for world in state.worlds.values() if world.owner == seat]
    fleets = [fleet for fleet in state.fleets.values() if fleet.owner == seat]
    held: list[World | Fleet] = [*worlds, *fleets]
    flying = sum(fleet.ships for fleet in fleets)
    return Holdings(
        score=state.players[seat].score,
        worlds=len(worlds),
        keys=len(fleets),
        ships=flying + sum(world.iships + world.pships for world in worlds),
        industry=sum(world.industry for world in worlds),
        mines=sum(world.mines for world in worlds),
        people=sum(world.population for world in worlds if not world.robots),
        converts=sum(world.converts for world in state.worlds.values() if world.apostle == seat),
        robots=sum(world.population for world in worlds if world.robots),
        artifacts=sum(len(holder.artifacts) for holder in held),
    )


def _acquaintance(state: State, player: Player, other: Seat) -> Acquaintance:
    relation = _RELATIONS[other in player.allies, other in player.loaders]
    return Acquaintance(relation, state.players[other].name)


def _shown_world(state: State, seat: Seat, number: WorldNumber) -> WorldRecord:
    fleets = [_shown_fleet(state, seat, fleet) for fleet in fleets_at(state, number)]
    return world_record(state, state.worlds[number], fleets)


def _shown_fleet(state: State, seat: Seat, fleet: Fleet) -> FleetRecord:
    """Return the record of a fleet. Only its owner sees its cargo (s7)."""
    record = fleet_record(state, fleet)
    return record if fleet.owner == seat else record._replace(cargo=0)


def _sign(player: Player) -> Sign:
    return Sign(player.name, tuple(plain(line).rstrip()[:WIDTH] for line in player.sign))


def _echo(echo: Sequence[Echo]) -> OrderEcho:
    return OrderEcho(len(echo), tuple(word for order in echo for word in _echo_words(order)))


def _echo_words(order: Echo) -> Iterator[str]:
    # The first line names an order of several lines, such as a sign.
    typed = order.text.split("\n", 1)[0]
    yield from _words(typed)
    if order.comment:
        yield f"<{' '.join(_words(order.comment))}>"


def _words(text: str) -> list[str]:
    """Return the words of *text*, cut to the line width, without brackets of comments."""
    words = plain(text).replace("<", "(").replace(">", ")").split()
    return [word if len(word) < WIDTH - 1 else word[: WIDTH - 6] + "..." for word in words]


def _building(state: State, seat: Seat) -> Iterator[str]:
    for number, world in sorted(state.worlds.items()):
        if world.owner == seat and world.usable:
            orders = f"W{number}B{world.usable}I"
            yield _suggestion(orders, f"{world.usable} industry can build")


def _moving(state: State, seat: Seat) -> Iterator[str]:
    for number, fleet in sorted(state.fleets.items()):
        if fleet.owner == seat and fleet.ships:
            gates = " ".join(f"W{gate}" for gate in state.worlds[fleet.world].gates)
            ships = counted(fleet.ships, "ship")
            yield _suggestion(f"F{number}W", f"{ships} at W{fleet.world}; gates: {gates}")


def _suggestion(order: str, remark: str) -> str:
    return f"# {order:<12} # {remark}"


def contacts(state: State, seat: Seat) -> frozenset[Seat]:
    """Return the players met, who can get messages and gifts (s18, s26)."""
    return frozenset(state.players[seat].met)


def gm_notes(state: State) -> Sequence[str]:
    """Return notes for the GM: how even the start was, and the Black Box's power (s14)."""
    fairness = (state.fairness,) if state.fairness else ()
    return (*fairness, f"The Black Box {POWERS[state.box.power].sentence}.")
