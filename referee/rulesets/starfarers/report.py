"""The report: the table as all players see it, and the player's own hand."""

from collections.abc import Iterator, Mapping, Sequence

from referee.rules.ruleset import Seat, Verdict
from referee.rules.views import Block, Log, Prose, Table, View
from referee.rulesets.starfarers.galaxies import LEGEND, content, drawing, ways
from referee.rulesets.starfarers.goods import in_words
from referee.rulesets.starfarers.state import Base, Stage, State
from referee.rulesets.starfarers.turn import TITLES
from referee.rulesets.starfarers.turn_state import HEADINGS
from referee.rulesets.starfarers.victory import systems


def view(state: State, seat: Seat | None, deadline: str) -> View:
    """Return the report of a player, or the public report if *seat* is None."""
    # The letter around the report shows the deadline.
    del deadline
    galaxies = [galaxy for galaxy in state.players if state.sees(seat, galaxy)]
    is_open = not state.rules.fog or state.stage is Stage.OVER
    blocks: list[Block] = [_summary(state, seat), Log(headings=HEADINGS)]
    blocks.append(_players(state, is_open=is_open))
    blocks += [_galaxy(state, galaxy, seat) for galaxy in galaxies]
    blocks += [*_ships(state, galaxies), *_bases(state, galaxies), *_costs(state)]
    for galaxy in galaxies:
        blocks += drawing(state, galaxy)
    return (*blocks, Prose(LEGEND))


def _summary(state: State, seat: Seat | None) -> Prose:
    if state.stage is Stage.OVER:
        return Prose(
            state.ending if seat is None else f"{state.players[seat].name}: {state.ending}"
        )
    lines = [f"Round {state.round} of at most {state.rules.turn_limit}: {TITLES[state.stage]}."]
    if seat is not None:
        player = state.players[seat]
        lines = [f"{player.name}, player {seat}.", *lines, f"You hold {in_words(player.hand)}."]
    order = ", ".join(state.players[each].name for each in state.order_of_play())
    lines.append(f"Order of play: {order}.")
    if state.turn_of is not None:
        own = state.turn_of == seat
        lines.append("It is your turn." if own else f"It is the turn of {_name(state)}.")
    return Prose(" ".join(lines))


def _name(state: State) -> str:
    return "nobody" if state.turn_of is None else state.players[state.turn_of].name


def _players(state: State, *, is_open: bool) -> Table:
    """Return the public table of players, with their colony systems if the table is open."""
    rows = tuple(
        (
            str(seat),
            player.name,
            player.colour or "-",
            str(player.hand.total),
            str(player.boosters),
            str(player.cannons),
            str(player.rings),
            str(systems(state, seat)) if is_open else "-",
            _relations(state, seat),
        )
        for seat, player in state.players.items()
    )
    columns = ("No", "Player", "Colour", "Cards", "Boost", "Cann", "Rings", "Sys", "Relations")
    return Table(columns, rows, "Players: cards in hand, prototype, galaxies with a colony system")


def _relations(state: State, seat: Seat) -> str:
    player, parts = state.players[seat], []
    names = {other: each.name for other, each in state.players.items()}
    if player.hostile:
        parts.append(f"hostile to {', '.join(names[each] for each in sorted(player.hostile))}")
    if player.allies:
        parts.append(f"allied with {', '.join(names[each] for each in sorted(player.allies))}")
    if player.captor is not None:
        parts.append(f"mothership held by {names[player.captor]}")
    return "; ".join([*parts, player.out] if player.out else parts) or "at peace"


def _galaxy(state: State, galaxy: Seat, seat: Seat | None) -> Table:
    rows = tuple(
        (
            f"H{place.number}",
            f"{place.at[0]},{place.at[1]}",
            content(place, met=seat in place.met),
            " ".join(f"{direction}:{number}" for direction, number in ways(state, place)) or "-",
        )
        for place in state.hexes.values()
        if place.galaxy == galaxy
    )
    left = len(state.bags[galaxy])
    title = f"Galaxy of {state.players[galaxy].name}, {left} tiles left to explore"
    return Table(("Hex", "At", "What", "Next hexes by direction"), rows, title)


def _ships(state: State, galaxies: Sequence[Seat]) -> Iterator[Table]:
    rows = tuple(
        (
            f"S{ship.number}",
            state.players[ship.owner].name,
            f"H{ship.hex}",
            content(state.hexes[ship.hex], met=False),
            "mercenary" if ship.mercenary else "-" if state.is_ready(ship) else "rebuilt",
        )
        for ship in state.ships.values()
        if state.hexes[ship.hex].galaxy in galaxies
    )
    if rows:
        yield Table(("Ship", "Owner", "At", "What is there", "Kind"), rows, "Ships")


def _bases(state: State, galaxies: Sequence[Seat]) -> Iterator[Table]:
    rows = tuple(
        (f"B{base.number}", state.players[base.owner].name, base.kind.called, *_place(state, base))
        for base in state.bases.values()
        if state.hexes[base.hex].galaxy in galaxies
    )
    if rows:
        yield Table(("Base", "Owner", "Kind", "At", "Where", "Galaxy"), rows, "Bases")


def _costs(state: State) -> Iterator[Prose]:
    """Return the costs of all that can be built in this game."""
    if state.stage is not Stage.OVER:
        costs = {**state.rules.costs}
        # A spaceport that is built at once costs a colony and its ring.
        costs["spaceport"] = costs["colony"] + costs["ring"]
        each = [f"{key.replace('_', ' ')} {cost}" for key, cost in costs.items()]
        yield Prose(f"Costs in cards: {', '.join(each)}.")


def _place(state: State, base: Base) -> tuple[str, str, str]:
    place = state.hexes[base.hex]
    where = "in orbit" if base.orbital else "on the planet"
    return f"H{base.hex}{base.corner}", where, state.players[place.galaxy].name


def contacts(state: State, seat: Seat) -> frozenset[Seat]:
    """Return the players whom a player can write to: all others."""
    return frozenset(state.players) - {seat}


def gm_notes(state: State) -> Sequence[str]:
    """Return the lines for the GM only: the hands of all players."""
    return [f"{player.name} holds {in_words(player.hand)}." for player in state.players.values()]


def verdict(state: State) -> Verdict | None:
    """Return how the game ended, or None while it goes on."""
    if state.stage is not Stage.OVER:
        return None
    return Verdict(frozenset(state.winners), (Prose(state.ending), *standing(state)))


def scores(state: State) -> Mapping[Seat, int]:
    """Return the number of bases of every player."""
    return {seat: len(state.bases_of(seat)) for seat in state.players}


def standing(state: State) -> View:
    """Return all players with their possessions, however the game ended."""
    return (_players(state, is_open=True),)
