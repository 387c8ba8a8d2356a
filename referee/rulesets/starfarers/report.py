"""The report: the table as everybody sees it, and one's own hand."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from referee.rules.ruleset import Seat, Verdict
from referee.rules.views import Block, Chart, Link, Node, Prose, Table, Verbatim, View, hanging
from referee.rulesets.starfarers.economy import COST_KEYS, cost_of
from referee.rulesets.starfarers.goods import Goods, in_words
from referee.rulesets.starfarers.orders import (
    BuildBase,
    BuildRing,
    BuildShip,
    Enhance,
    Order,
    PortTrade,
    Travel,
)
from referee.rulesets.starfarers.rounds import TITLES
from referee.rulesets.starfarers.rulings import ACCEPTED
from referee.rulesets.starfarers.state import Base, Hex, Kind, Note, Stage, State, beside
from referee.rulesets.starfarers.working import HEADINGS


def view(state: State, seat: Seat | None, deadline: str) -> View:
    """Show the table to a player with his hand, or to an observer (None) without one."""
    blocks: list[Block] = []
    if seat is not None:
        blocks += [_summary(state, seat, deadline), *_notes(state, seat)]
    blocks += [_players(state), *_hexes(state, seat), *_ships(state, seat), *_bases(state, seat)]
    blocks += [_map(state, galaxy) for galaxy in state.players if _shown(state, seat, galaxy)]
    return tuple(blocks)


def _shown(state: State, seat: Seat | None, galaxy: Seat) -> bool:
    """Say whether somebody sees a galaxy: all, or in fog those where he has a ship or base."""
    if not state.rules.fog or state.stage is Stage.OVER:
        return True
    if seat is None:
        return False
    hexes = {ship.hex for ship in state.fleet(seat)} | {b.hex for b in state.bases_of(seat)}
    return galaxy == seat or any(state.hexes[number].galaxy == galaxy for number in hexes)


def _summary(state: State, seat: Seat, deadline: str) -> Prose:
    player = state.players[seat]
    if state.stage is Stage.OVER:
        return Prose(f"{player.name}: {state.ending}")
    due = f" Orders are due {' '.join(deadline.split())}." if deadline.strip() else ""
    order = ", ".join(state.players[each].name for each in state.order_of_play())
    return Prose(
        f"{player.name}, player {seat}. Round {state.round}: {TITLES[state.stage]}. You hold "
        f"{in_words(player.hand)}. They play in this sequence: {order}.{due}"
    )


def _notes(state: State, seat: Seat) -> Iterator[Verbatim]:
    told: list[Note] = [*state.notes, *state.players[seat].private]
    if state.rules.fog and state.stage is not Stage.OVER:
        told = [note for note in told if note in state.players[seat].private or _is_near(note)]
    notes = sorted(told, key=lambda note: HEADINGS.index(note.heading))
    for heading, group in groupby(notes, key=lambda note: note.heading):
        yield Verbatim("\n".join(hanging(note.text) for note in group), heading)


def _is_near(note: Note) -> bool:
    """In fog only what concerns all is told; battles and travel are told by the galaxy's table."""
    return note.heading == HEADINGS[0]


def _players(state: State) -> Table:
    rows = tuple(
        (
            str(seat),
            player.name,
            str(player.hand.total),
            str(player.boosters),
            str(player.cannons),
            str(player.rings),
            _relations(state, seat),
        )
        for seat, player in state.players.items()
    )
    columns = ("No", "Player", "Cards", "Boost", "Cann", "Rings", "Relations")
    return Table(columns, rows, "Players")


def _relations(state: State, seat: Seat) -> str:
    player, parts = state.players[seat], []
    names = {other: each.name for other, each in state.players.items()}
    if player.hostile:
        parts.append(f"hostile to {', '.join(names[each] for each in sorted(player.hostile))}")
    if player.allies:
        parts.append(f"allied with {', '.join(names[each] for each in sorted(player.allies))}")
    if player.captor is not None:
        parts.append(f"mothership held by {names[player.captor]}")
    if player.resigned:
        parts.append("left")
    return "; ".join(parts) or "at peace"


def _hexes(state: State, seat: Seat | None) -> Iterator[Table]:
    rows = tuple(
        (
            f"H{place.number}",
            state.players[place.galaxy].name,
            f"{place.at[0]},{place.at[1]}",
            _content(place),
            " ".join(f"{d}:H{n}" for d, n in _ways(state, place)),
        )
        for place in state.hexes.values()
        if _shown(state, seat, place.galaxy)
    )
    yield Table(("Hex", "Galaxy", "At", "What", "Next to it"), rows, "Known space")
    left = ", ".join(
        f"{state.players[galaxy].name} {len(bag)}" for galaxy, bag in state.bags.items()
    )
    yield Table(("Tiles left to explore",), ((left,),))


def _content(place: Hex) -> str:
    if place.kind is not Kind.PLANET:
        more = f", {place.cannons} cannons" if place.kind is Kind.PIRATES else ""
        return f"{place.kind.value}{more}"
    who = "" if not place.occupied else f", {place.card.value if place.card else 'occupied'}"
    return f"{place.resource} planet{who}"


def _ways(state: State, place: Hex) -> Iterator[tuple[int, int]]:
    for direction in range(1, 7):
        other = state.hex_at(place.galaxy, beside(place.at, direction))
        if other is not None:
            yield direction, other.number


def _ships(state: State, seat: Seat | None) -> Iterator[Table]:
    rows = tuple(
        (
            f"S{ship.number}",
            state.players[ship.owner].name,
            f"H{ship.hex}",
            "mercenary" if ship.mercenary else "rebuilt" if ship.ready > state.round else "",
        )
        for ship in state.ships.values()
        if _shown(state, seat, state.hexes[ship.hex].galaxy)
    )
    if rows:
        yield Table(("Ship", "Owner", "At", ""), rows, "Ships")


def _bases(state: State, seat: Seat | None) -> Iterator[Table]:
    rows = tuple(
        (
            f"B{base.number}",
            state.players[base.owner].name,
            base.kind.name.lower().replace("_", " "),
            _where(base),
        )
        for base in state.bases.values()
        if _shown(state, seat, state.hexes[base.hex].galaxy)
    )
    if rows:
        yield Table(("Base", "Owner", "Kind", "At"), rows, "Bases")


def _where(base: Base) -> str:
    return f"in orbit, H{base.hex}{base.corner}" if base.orbital else f"H{base.hex}"


def _map(state: State, galaxy: Seat) -> Verbatim:
    """Draw a galaxy: the number of each hex, half a hex to the right for each row."""
    places = [each for each in state.hexes.values() if each.galaxy == galaxy]
    lefts = [2 * each.at[0] + each.at[1] for each in places]
    rows = range(min(each.at[1] for each in places), max(each.at[1] for each in places) + 1)
    lines = []
    for row in rows:
        line = ""
        for each in sorted((p for p in places if p.at[1] == row), key=lambda p: p.at[0]):
            column = (2 * each.at[0] + each.at[1] - min(lefts)) * 3
            line = line.ljust(column) + f"{_SIGNS[each.kind]}{each.number}"
        lines.append(line[:78])
    return Verbatim("\n".join([*lines, _LEGEND]), f"Galaxy of {state.players[galaxy].name}")


_SIGNS = {
    Kind.MOTHERSHIP: "M",
    Kind.PLANET: "o",
    Kind.EMPTY: ".",
    Kind.PIRATES: "!",
    Kind.TRADER: "$",
    Kind.MERCENARIES: "+",
    Kind.TELEPORTER: "T",
    Kind.WORMHOLE: "@",
}
_LEGEND = (
    "M mothership, o planet, . empty, ! pirates, $ trader, + mercenaries,\nT teleporter, @ wormhole"
)


def chart(state: State, seat: Seat) -> Chart:
    """Show the known hexes, joined where they touch, with whose bases are on them."""
    shown = [place for place in state.hexes.values() if _shown(state, seat, place.galaxy)]
    numbers = {place.number for place in shown}
    owners = {base.hex: state.players[base.owner].name for base in state.bases.values()}
    names = [state.players[seat].name]
    names += [player.name for other, player in state.players.items() if other != seat]
    return Chart(
        nodes=tuple(
            Node(f"H{place.number}", (_content(place),), owners.get(place.number, ""))
            for place in shown
        ),
        links=tuple(
            Link(f"H{place.number}", f"H{number}")
            for place in shown
            for _, number in _ways(state, place)
            if place.number < number and number in numbers
        ),
        title="Known space",
        owners=tuple(names),
    )


def template(state: State, seat: Seat) -> Sequence[str]:
    """Give lines for an order sheet: orders to complete, each behind the mark of a comment."""
    lines = ["# Complete an order and take the # before it away, or write your own."]
    if Travel in ACCEPTED[state.stage]:
        lines += [
            f"# S{ship.number}E1   (at H{ship.hex})"
            for ship in state.fleet(seat)
            if not ship.mercenary
        ]
    if BuildBase in ACCEPTED[state.stage]:
        lines += [
            f"# H{number}BC" for number in sorted({ship.hex for ship in state.fleet(seat)})
            if state.hexes[number].kind is Kind.PLANET
        ]  # fmt: skip
    return lines


def forecast(state: State, seat: Seat, orders: Sequence[Order]) -> View:
    """Show what the hand will be if nothing is mined, met or traded with others."""
    hand, short = state.players[seat].hand, False
    for order in orders:
        cost = _cost(state, order)
        short = short or not hand.covers(cost)
        hand = hand - cost if hand.covers(cost) else hand
        if isinstance(order, PortTrade):
            hand += order.take
    more = " Something you order needs cards that you have yet to get." if short else ""
    return (Prose(f"You will hold {in_words(hand)}, and what your ships mine.{more}"),)


def _cost(state: State, order: Order) -> Goods:
    match order:
        case BuildBase() | BuildRing() | BuildShip():
            return cost_of(state, order)
        case Enhance(parts):
            costs = (state.rules.costs[COST_KEYS[part]] * number for number, part in parts)
            return sum(costs, Goods())
        case PortTrade(_, give, _):
            return give
    return Goods()


def contacts(state: State, seat: Seat) -> frozenset[Seat]:
    """Say whom a player may write to: everybody else."""
    return frozenset(state.players) - {seat}


def remarks(state: State) -> Sequence[str]:
    """Say what only the GM may know: everybody's hand."""
    return [f"{player.name} holds {in_words(player.hand)}." for player in state.players.values()]


def verdict(state: State) -> Verdict | None:
    """Say how the game ended, or None while it runs."""
    if state.stage is not Stage.OVER:
        return None
    return Verdict(frozenset(state.winners), (Prose(state.ending), _players(state)))
