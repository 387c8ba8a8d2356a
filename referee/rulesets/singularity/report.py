"""The report: points, planets, ships, visible combat, alliances, jump charts and the map."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from referee.rules.ruleset import Seat, Verdict
from referee.rules.views import Block, Log, Prose, Table, Verbatim, View
from referee.rules.wording import counted, listed
from referee.rulesets.singularity import units
from referee.rulesets.singularity.board import COLOURS
from referee.rulesets.singularity.economy import UPKEEP, value
from referee.rulesets.singularity.factions import planets
from referee.rulesets.singularity.knowledge import (
    foreign_ships,
    is_public,
    known_owner,
    sees_damage,
)
from referee.rulesets.singularity.orders import Build
from referee.rulesets.singularity.sections import ACCEPTED, TITLES, counted_as, phase
from referee.rulesets.singularity.state import Planet, Player, Section, Ship, State
from referee.rulesets.singularity.turn_state import HEADINGS
from referee.rulesets.singularity.units import NAMES
from referee.rulesets.singularity.victory import FACTION_TURNS, SINGLE_TURNS

WIDTH: Final = 78
MOST_HALF: Final = 5
"""The most columns that half a hex of the map can have."""


def view(state: State, seat: Seat | None, deadline: str) -> View:
    """Return the report of a player, or the public report if *seat* is None."""
    # The letter around the report shows the deadline.
    del deadline
    public: list[Block] = [
        _players(state, is_open=is_public(state)),
        *_counters(state, seat),
        *_factions(state),
    ]
    if seat is None:
        return tuple([*public, *_map(state, None)] if is_public(state) else public)
    blocks: list[Block] = [
        _summary(state, seat),
        Log(headings=HEADINGS),
        *fleet(state, seat),
        *_foreign(state, seat),
        *_prices(state),
        _planets(state, seat),
        *public,
        *_settings(state, seat),
        *_charts(state, seat),
        *_map(state, seat),
    ]
    return tuple(blocks)


def _summary(state: State, seat: Seat) -> Prose:
    player = state.players[seat]
    head = f"{player.name}, player {seat}, {COLOURS[player.colour]}. "
    if state.section is Section.OVER:
        return Prose(head + state.ending)
    allies = [state.players[other].name for other in sorted(player.allies)]
    now = counted_as(state, state.turn).capitalize()
    head += f"{now} of at most {state.rules.turn_limit}: {TITLES[state.section]}. "
    if seat not in state.active():
        return Prose(f"{head}You are no longer in the war.")
    return Prose(
        f"{head}You have {_means(state, player)}. "
        f"Your allies this turn: {', '.join(allies) or 'none'}. {_orders_needed(state, seat)}"
    )


def _means(state: State, player: Player) -> str:
    """Return the points, planets and ships of a player; before income, the points to spend."""
    planets_, ships = state.planets_of(player.seat), len(state.fleet(player.seat))
    income = sum(value(state, player, planet.colour) for planet in planets_)
    if Build not in ACCEPTED[state.section]:
        return (
            f"{counted(player.points, 'point')}, {counted(len(planets_), 'planet')} with an "
            f"income of {income}, and {counted(ships, 'ship')}"
        )
    upkeep = min(UPKEEP * ships, player.points + income)
    paid = f" - {upkeep} upkeep for {counted(ships, 'ship')}" if ships else ""
    return (
        f"{player.points} saved + {income} income from {counted(len(planets_), 'planet')}{paid} "
        f"= {counted(player.points + income - upkeep, 'point')} to spend"
    )


def _orders_needed(state: State, seat: Seat) -> str:
    """Return whether the player must send orders now, as a sentence."""
    if seat not in phase(state).awaiting:
        return "You do not need to send orders now: your ships have nobody to fire at."
    return "Please send your orders."


def fleet(state: State, seat: Seat) -> Iterator[Table]:
    """Return the player's own ships as a table, if there are any."""
    rows = tuple(
        (
            f"S{ship.number}",
            NAMES[ship.kind],
            state.rules.board.written(ship.at),
            units.written(ship.units),
            missing(state, ship) + (", dark" if ship.dark else ""),
        )
        for ship in sorted(state.fleet(seat), key=lambda ship: (ship.at, ship.number))
    )
    if rows:
        yield Table(("Ship", "Type", "At", "Working", "Damaged"), rows, "Your ships")


def missing(state: State, ship: Ship) -> str:
    """Return the damaged units of a ship."""
    whole = state.kind(ship).undamaged()
    return units.written({unit: whole[unit] - ship.units.get(unit, 0) for unit in whole})


def _prices(state: State) -> Iterator[Block]:
    """Return the types of ships, with their letters, units and costs, while the war goes on."""
    if state.section is Section.OVER:
        return
    rows = tuple(
        (letter, kind.name, units.written(kind.undamaged()), str(kind.cost))
        for letter, kind in state.rules.types.items()
    )
    yield Table(("Letter", "Type", "Units", "Points"), rows, "Ships to build")
    yield Prose(f"Units: {', '.join(f'{u} {units.UNITS[u]}' for u in units.WRITTEN)}.")


def _foreign(state: State, seat: Seat) -> Iterator[Table]:
    rows = tuple(
        (
            f"S{ship.number}",
            NAMES[ship.kind],
            state.players[ship.owner].name,
            state.rules.board.written(ship.at),
            missing(state, ship) if sees_damage(state, seat, ship) else "?",
        )
        for ship in sorted(foreign_ships(state, seat), key=lambda ship: (ship.at, ship.number))
    )
    if rows:
        yield Table(("Ship", "Type", "Owner", "At", "Damaged"), rows, "Ships in sight")


def _planets(state: State, seat: Seat) -> Table:
    player = state.players[seat]
    rows = tuple(
        (
            f"W{planet.column}",
            state.rules.board.written(planet.at),
            COLOURS[planet.colour],
            str(value(state, player, planet.colour)),
            owner_name(state, seat, planet),
        )
        for planet in state.planets.values()
    )
    return Table(("Planet", "Space", "Colour", "Worth", "Owner"), rows, "Planets")


def owner_name(state: State, seat: Seat, planet: Planet) -> str:
    """Return the name of a planet's owner, "" for nobody, and ``?`` if it is unknown (T8)."""
    known, owner = known_owner(state, seat, planet)
    if not known:
        return "?"
    return "" if owner is None else state.players[owner].name


def _players(state: State, *, is_open: bool) -> Table:
    """Return the table of players, with the number of their planets if the table is open."""
    rows = tuple(
        (
            str(seat),
            player.name + (" (left)" if player.resigned else " (lost)" if player.lost else ""),
            COLOURS[player.colour],
            str(planets(state, (seat,))) if is_open else "?",
            ", ".join(state.players[other].name for other in sorted(player.allies)),
        )
        for seat, player in state.players.items()
    )
    return Table(("No", "Player", "Colour", "Planets", "Allies"), rows, "Players")


def _counters(state: State, seat: Seat | None) -> Iterator[Prose]:
    """Return how many turns in a row players began with enough planets to win (rule 1)."""
    for other, player in state.players.items():
        if player.successive and (is_public(state) or other == seat):
            times = counted(player.successive, "turn")
            yield Prose(
                f"{player.name} has begun {times} in a row with at least {state.rules.to_win} "
                f"planets. {SINGLE_TURNS} in a row win."
            )


def _factions(state: State) -> Iterator[Prose]:
    for faction in state.factions:
        names = listed(state.players[seat].name for seat in faction.members)
        kind = "Empire" if faction.empire else "Faction"
        held = f" with {planets(state, faction.members)} planets" if is_public(state) else ""
        first = counted_as(state, faction.since)
        last = counted_as(state, faction.since + FACTION_TURNS)
        yield Prose(
            f"{kind} of {names}{held}, declared at the beginning of {first}. It wins if it still "
            f"exists at the beginning of {last}."
        )


def _settings(state: State, seat: Seat) -> Iterator[Prose]:
    """Return the settings of a player, which last until they are changed (rules 23, 24)."""
    player = state.players[seat]
    if player.votes:
        names = ", ".join(state.players[other].name for other in sorted(player.votes))
        first = min(player.votes)
        yield Prose(f"You want as allies: {names}. To take it back: L{first}N.")
    wishes = [
        f"W{column} {COLOURS[colour]}"
        for column, colour in sorted(player.wishes.items())
        if state.planets[column].owner == seat and state.planets[column].colour != player.colour
    ]
    if wishes:
        yield Prose(f"Colours you chose for your planets: {', '.join(wishes)}.")


def _charts(state: State, seat: Seat) -> Iterator[Table]:
    charts = sorted(state.players[seat].charts, key=lambda chart: chart.start)
    rows = tuple(
        (state.rules.board.written(chart.start), state.rules.board.written(chart.end))
        for chart in charts
    )
    if rows:
        yield Table(("From", "To"), rows, "Jumps you know")


def _map(state: State, seat: Seat | None) -> View:
    """Return a map of the board, number, colour, level and owner of every planet, and its key."""
    board, rows = state.rules.board, list[list[int]]([[]])
    for column in board.columns:
        if rows[-1] and board.hexes_apart(rows[-1][-1], column) > 1:
            rows.append([])
        rows[-1].append(column)
    widest = max(map(len, rows))
    half = min(MOST_HALF, WIDTH // widest // 2)
    lines = []
    for row in rows:
        cells = "".join(f"{_cell(state, seat, state.planets[c]):<{2 * half}}" for c in row)
        lines.append((" " * (half * (widest - len(row))) + cells).rstrip())
    owners = ", ".join(_owners(state, seat)) or "none"
    legend = f"Number, colour (- gray), level, owner ({owners})."
    return Verbatim("\n".join(lines), "Map"), Prose(legend)


def _owners(state: State, seat: Seat | None) -> Iterator[str]:
    """Yield the meanings of the owners' marks that are on the map."""
    marks = {_mark(state, seat, planet) for planet in state.planets.values()}
    if "*" in marks:
        yield "*=you"
    for other, player in state.players.items():
        if f"p{other}" in marks:
            yield f"p{other}={player.name}"
    if "?" in marks:
        yield "?=unknown"


def _cell(state: State, seat: Seat | None, planet: Planet) -> str:
    level = state.rules.board.written(planet.at)[-1]
    return f"{planet.column:>2}{planet.colour}{level} {_mark(state, seat, planet)}"


def _mark(state: State, seat: Seat | None, planet: Planet) -> str:
    known, owner = (True, planet.owner) if seat is None else known_owner(state, seat, planet)
    return "?" if not known else "" if owner is None else "*" if owner == seat else f"p{owner}"


def contacts(state: State, seat: Seat) -> frozenset[Seat]:
    """Return the players whom a player can write to: all others."""
    return frozenset(state.players) - {seat}


def gm_notes(state: State) -> Sequence[str]:
    """Return the lines for the GM only: points and ships of all players."""
    return [
        f"{player.name}: {counted(player.points, 'point')}, "
        f"{counted(len(state.fleet(seat)), 'ship')}."
        for seat, player in state.players.items()
    ]


def verdict(state: State) -> Verdict | None:
    """Return how the war ended, or None while it goes on."""
    if state.section is not Section.OVER:
        return None
    return Verdict(frozenset(state.winners), (Prose(state.ending), *standing(state)))


def scores(state: State) -> Mapping[Seat, int]:
    """Return the number of planets of every player."""
    return {seat: len(state.planets_of(seat)) for seat in state.players}


def standing(state: State) -> View:
    """Return all players with what they have, however the war ended."""
    return (_players(state, is_open=True),)
