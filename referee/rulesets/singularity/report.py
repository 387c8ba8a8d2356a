"""The report: points, planets, ships, combat that was seen, alliances, jump charts, the map."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from referee.rules.ruleset import Seat, Verdict
from referee.rules.views import Block, Chart, Link, Node, Prose, Table, Verbatim, View, hanging
from referee.rulesets.singularity.board import GRAY
from referee.rulesets.singularity.economy import value
from referee.rulesets.singularity.knowledge import foreign_ships, known_owner, sees_damage
from referee.rulesets.singularity.orders import Move, Order, SetAlliance
from referee.rulesets.singularity.politics import planets
from referee.rulesets.singularity.rulings import ACCEPTED, plan
from referee.rulesets.singularity.sections import TITLES
from referee.rulesets.singularity.state import Planet, Section, Ship, State
from referee.rulesets.singularity.units import NAMES, UNITS, Units
from referee.rulesets.singularity.working import HEADINGS, counted


def view(state: State, seat: Seat | None, deadline: str) -> View:
    """Show the state to a player, or to an observer (None) what all may know."""
    if seat is None:
        return (_standing(state), *_factions(state))
    blocks: list[Block] = [
        _summary(state, seat, deadline),
        *_notes(state, seat),
        *_fleet(state, seat),
        *_foreign(state, seat),
        _planets(state, seat),
        _standing(state),
        *_factions(state),
        *_charts(state, seat),
        _map(state, seat),
    ]
    return tuple(blocks)


def _summary(state: State, seat: Seat, deadline: str) -> Prose:
    player = state.players[seat]
    head = f"{player.name}, player {seat}, {player.colour}. "
    if state.section is Section.OVER:
        return Prose(head + state.ending)
    due = f" Orders are due {' '.join(deadline.split())}." if deadline.strip() else ""
    planets_ = state.planets_of(seat)
    income = sum(value(state, player, planet.colour) for planet in planets_)
    allies = [state.players[other].name for other in sorted(player.allies)]
    return Prose(
        f"{head}Turn {state.turn} of {state.rules.turn_limit} at most: {TITLES[state.section]}. "
        f"You have {counted(player.points, 'point')}, {counted(len(planets_), 'planet')} with an "
        f"income of {income}, and {counted(len(state.fleet(seat)), 'ship')}. "
        f"Your allies this turn: {', '.join(allies) or 'none'}.{due}"
    )


def _notes(state: State, seat: Seat) -> Iterator[Verbatim]:
    notes = sorted(state.players[seat].notes, key=lambda note: HEADINGS.index(note.heading))
    for heading, group in groupby(notes, key=lambda note: note.heading):
        yield Verbatim("\n".join(hanging(note.text) for note in group), heading)


def _fleet(state: State, seat: Seat) -> Iterator[Table]:
    rows = tuple(
        (
            f"S{ship.number}",
            NAMES[ship.kind],
            state.rules.board.written(ship.at),
            _written_units(ship.units),
            _missing(state, ship),
            "dark" if ship.dark else "",
        )
        for ship in sorted(state.fleet(seat), key=lambda ship: (ship.at, ship.number))
    )
    if rows:
        yield Table(("Ship", "Type", "At", "Whole", "Damaged", ""), rows, "Your ships")


def _written_units(units: Units) -> str:
    return "".join(unit * units.get(unit, 0) for unit in UNITS)


def _missing(state: State, ship: Ship) -> str:
    whole = state.kind(ship).whole()
    return "".join(unit * (whole.get(unit, 0) - ship.units.get(unit, 0)) for unit in UNITS)


def _foreign(state: State, seat: Seat) -> Iterator[Table]:
    rows = tuple(
        (
            f"S{ship.number}",
            NAMES[ship.kind],
            state.players[ship.owner].name,
            state.rules.board.written(ship.at),
            _missing(state, ship) if sees_damage(state, seat, ship) else "?",
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
            "gray" if planet.colour == GRAY else planet.colour,
            str(value(state, player, planet.colour)),
            _owner(state, seat, planet),
        )
        for planet in state.planets.values()
    )
    return Table(("Planet", "Space", "Colour", "Worth", "Owner"), rows, "Planets")


def _owner(state: State, seat: Seat, planet: Planet) -> str:
    known, owner = known_owner(state, seat, planet)
    if not known:
        return "?"
    return "" if owner is None else state.players[owner].name


def _standing(state: State) -> Table:
    public = state.rules.ownership_public or state.section is Section.OVER
    rows = tuple(
        (
            str(seat),
            player.name,
            player.colour,
            str(planets(state, (seat,))) if public else "?",
            ", ".join(state.players[other].name for other in sorted(player.allies)),
            "left" if player.resigned else "",
        )
        for seat, player in state.players.items()
    )
    return Table(("No", "Player", "Colour", "Planets", "Allies", ""), rows, "Players")


def _factions(state: State) -> Iterator[Prose]:
    for faction in state.factions:
        names = " and ".join(state.players[seat].name for seat in faction.members)
        kind = "Empire" if faction.empire else "Faction"
        yield Prose(f"{kind} of {names}, declared at the beginning of turn {faction.since}.")


def _charts(state: State, seat: Seat) -> Iterator[Table]:
    charts = sorted(state.players[seat].charts, key=lambda chart: chart.start)
    rows = tuple(
        (state.rules.board.written(chart.start), state.rules.board.written(chart.end))
        for chart in charts
    )
    if rows:
        yield Table(("From", "To"), rows, "Jumps you know")


def _map(state: State, seat: Seat) -> Verbatim:
    """Draw the board: number, colour, level and owner of every planet."""
    rows: list[list[int]] = [[]]
    for column in state.rules.board.columns:
        if rows[-1] and state.rules.board.hexes_apart(rows[-1][-1], column) > 1:
            rows.append([])
        rows[-1].append(column)
    widest = max(map(len, rows))
    lines = []
    for row in rows:
        cells = "".join(_cell(state, seat, state.planets[column]) for column in row)
        lines.append((" " * (5 * (widest - len(row))) + cells).rstrip())
    legend = "Number, colour (- gray), level; * yours, and the numbers of other owners."
    return Verbatim("\n".join([*lines, legend]), "Map")


def _cell(state: State, seat: Seat, planet: Planet) -> str:
    known, owner = known_owner(state, seat, planet)
    who = "?" if not known else "" if owner is None else "*" if owner == seat else f"p{owner}"
    level = state.rules.board.written(planet.at)[-1]
    return f"{planet.column:>2}{planet.colour}{level} {who:<5}"


def chart(state: State, seat: Seat) -> Chart:
    """Show the planets, joined where their columns are neighbours."""
    stars = list(state.planets.values())
    owners = [state.players[seat].name]
    owners += [player.name for other, player in state.players.items() if other != seat]
    return Chart(
        nodes=tuple(
            Node(
                f"W{planet.column}",
                (planet.colour, state.rules.board.written(planet.at)),
                _owner(state, seat, planet).replace("?", ""),
            )
            for planet in stars
        ),
        links=tuple(
            Link(f"W{one.column}", f"W{other.column}")
            for one in stars
            for other in stars
            if one.column < other.column
            and state.rules.board.hexes_apart(one.column, other.column) == 1
        ),
        title="The board",
        owners=tuple(owners),
    )


def template(state: State, seat: Seat) -> Sequence[str]:
    """Give lines for an order sheet: orders to complete, each behind the mark of a comment."""
    lines = ["# Complete an order and take the # before it away, or write your own."]
    accepted = ACCEPTED[state.section]
    if Move in accepted:
        lines += [
            f"# S{ship.number}W0=   ({NAMES[ship.kind]} at {state.rules.board.written(ship.at)})"
            for ship in state.fleet(seat)
            if not ship.dark and ship.drive
        ]
    if state.section in (Section.TURN, Section.PLAN, Section.ECONOMIC):
        lines += [f"# W{planet.column}B1F" for planet in state.planets_of(seat)]
    if SetAlliance in accepted:
        others = [other for other in state.active() if other != seat]
        lines += [f"# L{other}Y   ({state.players[other].name})" for other in others]
    return lines


def forecast(state: State, seat: Seat, orders: Sequence[Order]) -> View:
    """Show the points and the ships as the player's own economy leaves them, before movement."""
    if Move not in ACCEPTED[state.section] and state.section is not Section.ECONOMIC:
        return ()
    turn = plan(state, seat, orders)
    points = Prose(f"After the economy you have {counted(turn.player(seat).points, 'point')} left.")
    return (points, *_fleet(turn.state, seat))


def contacts(state: State, seat: Seat) -> frozenset[Seat]:
    """Say whom a player may write to: everybody else."""
    return frozenset(state.players) - {seat}


def remarks(state: State) -> Sequence[str]:
    """Say what only the GM may know: the points of all players."""
    return [
        f"{player.name}: {player.points} points, {len(state.fleet(seat))} ships."
        for seat, player in state.players.items()
    ]


def verdict(state: State) -> Verdict | None:
    """Say how the war ended, or None while it goes on."""
    if state.section is not Section.OVER:
        return None
    return Verdict(frozenset(state.winners), (Prose(state.ending), _standing(state)))
