"""The report: the player's own side in full, the visible enemy, the map and the stars."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from referee.rules.hexes import Hex, distance
from referee.rules.ruleset import Phase, Seat, Verdict
from referee.rules.views import Block, Log, Prose, Sentences, Table, Verbatim, View
from referee.rules.wording import left_out
from referee.rulesets.fistful import closing, homes
from referee.rulesets.fistful.cluster import COLUMNS, ROWS
from referee.rulesets.fistful.knowledge import HIDDEN, believed, is_open
from referee.rulesets.fistful.language import render
from referee.rulesets.fistful.moving import move, objection
from referee.rulesets.fistful.orders import Move, Order
from referee.rulesets.fistful.planning import objection_to_growth, points
from referee.rulesets.fistful.rulings import plan
from referee.rulesets.fistful.state import (
    LETTERS,
    LINE,
    REACH,
    Fleet,
    HomePick,
    Stage,
    Star,
    State,
)
from referee.rulesets.fistful.turn_state import BATTLES, COLONIES, MEETINGS, RECON, WITHDRAWALS


def view(state: State, seat: Seat | None, deadline: str) -> View:
    """Return the report of a player, or the public view for an observer (None)."""
    if seat is None:
        return (*_public(state), _stars_of(state))
    blocks: list[Block] = [
        _summary(state, seat, deadline),
        Log(headings=_HEADINGS),
        *_own(state, seat),
        *_enemy(state, seat),
        _map_of(state, seat),
        Prose("Star numbers; + your colony, - enemy colony, ' your fleets, ! enemy fleets."),
        _stars_of(state),
    ]
    return tuple(blocks)


def _summary(state: State, seat: Seat, deadline: str) -> Prose:
    player = state.players[seat]
    due = f" Orders are due {' '.join(deadline.split())}." if deadline.strip() else ""
    if state.stage is Stage.OVER:
        return Prose(f"{player.name}, {_result(state, seat)}: {state.ending}")
    if state.stage is Stage.HOMES:
        owed = due if seat in homes.choosers(state) else ""
        return Prose(f"{player.name}: {_choice(state, seat)}{owed}")
    home = f"Your homeworld is W{player.home}." if player.home else ""
    when = f"turn {state.turn} of {state.last_turn}"
    if state.turn >= state.last_turn:
        when = f"turn {state.turn}, the last turn"
    return Prose(f"{player.name}, {when}. {home}{due}")


def _result(state: State, seat: Seat) -> str:
    if seat not in state.winners:
        return "you have lost"
    return "you have won" if len(state.winners) == 1 else "it is a draw"


def _choice(state: State, seat: Seat) -> str:
    if seat not in homes.choosers(state):
        when = "first" if state.players[seat].home is None else "now"
        return f"your enemy chooses a homeworld {when}."
    rows = " or ".join(f"{zone.start} to {zone.stop - 1}" for zone in homes.zones(state, seat))
    example = " ".join(render(order) for order in homes.usual(state, seat))
    if state.rules.home_pick is HomePick.SEALED:
        zones = rows.replace(" or ", " and ")
        return f"name a homeworld for each zone, rows {zones}, for example {example}."
    return f"choose your homeworld in rows {rows}, for example {example}."


_HEADINGS = (WITHDRAWALS, MEETINGS, BATTLES, COLONIES, RECON)


def _own(state: State, seat: Seat) -> Iterator[Table | Prose]:
    colonies = state.colonies_of(seat)
    if colonies:
        rows = tuple(
            (
                f"W{star.number}",
                str(star.size),
                str(star.capacity),
                str(points(state, star)),
                _condition(state, star),
            )
            for star in colonies
        )
        yield Table(("Star", "Size", "Most", "Points", "Remarks"), rows, "Your colonies")
    fleets = state.fleets_of(seat)
    if fleets:
        rows_ = tuple(
            (f"F{f.letter}", f"W{f.star}", *map(str, f.ships.counts()), _ways(state, f))
            for f in fleets
        )
        yield Table(("Fleet", "At", "T", "S", "C", "D", "Can move to"), rows_, "Your fleets")
        yield Prose("T transports, S scouts, C cruisers, D dreadnoughts.")


def _ways(state: State, fleet: Fleet) -> str:
    ways = [to for to in state.stars if not objection(state, fleet, Move(fleet.letter, to))]
    return numbers(ways)


def _condition(state: State, star: Star) -> str:
    homes_ = [player.home for player in state.players.values()]
    facts = {
        "homeworld": star.number in homes_,
        "fortified": star.fortified,
        "half fortified": star.half_fortified,
        "besieged": star.besieged,
    }
    return ", ".join(word for word, holds in facts.items() if holds)


def _enemy(state: State, seat: Seat) -> Iterator[Table | Sentences]:
    """Return the view of the enemy: everything without fog, else only places (rule 21)."""
    enemy = state.other(seat)
    name, colonies = state.players[enemy].name, state.colonies_of(enemy)
    fleets = state.fleets_of(enemy)
    if is_open(state):
        yield from _in_full(state, enemy)
        return
    if colonies:
        rows = tuple((f"W{c.number}", str(c.capacity), _visible(state, c)) for c in colonies)
        yield Table(("Star", "Most", "Remarks"), rows, f"Colonies of {name}")
    if fleets:
        places = " ".join(f"W{star}" for star in sorted({fleet.star for fleet in fleets}))
        yield Sentences((f"They are at {places}.",), f"Fleets of {name}")


def _in_full(state: State, seat: Seat) -> Iterator[Table]:
    """Return the tables of all colonies and fleets of a player."""
    name = state.players[seat].name
    colonies = tuple(
        (f"W{star.number}", str(star.size), str(star.capacity), _condition(state, star))
        for star in state.colonies_of(seat)
    )
    if colonies:
        yield Table(("Star", "Size", "Most", "Remarks"), colonies, f"Colonies of {name}")
    fleets = tuple(
        (f"F{fleet.letter}", f"W{fleet.star}", *map(str, fleet.ships.counts()))
        for fleet in state.fleets_of(seat)
    )
    if fleets:
        yield Table(("Fleet", "At", "T", "S", "C", "D"), fleets, f"Fleets of {name}")


def _visible(state: State, star: Star) -> str:
    """Return the public facts about a colony: whether it is a homeworld, and besieged."""
    homes_ = [player.home for player in state.players.values()]
    facts = {"homeworld": star.number in homes_, "besieged": star.besieged}
    return ", ".join(word for word, holds in facts.items() if holds)


def _public(state: State) -> Iterator[Prose | Table]:
    """Return the facts that both players know: in fog the owners of colonies, else everything."""
    if state.stage is Stage.OVER:
        yield Prose(state.ending)
    rows = tuple(
        (player.name, " ".join(f"W{star.number}" for star in state.colonies_of(seat)))
        for seat, player in state.players.items()
    )
    yield Table(("Player", "Colonies"), rows, f"Turn {state.turn}")
    if is_open(state):
        for seat in state.players:
            yield from _in_full(state, seat)


def template(state: State, seat: Seat) -> Sequence[str]:
    """Return the template of an order sheet: orders to complete, each as a comment."""
    lines = ["# To use an order, complete it and delete the # in front of it."]
    if state.stage is Stage.HOMES:
        if seat in homes.choosers(state):
            lines += [f"# H{star.number}" for star in _candidates(state, seat)]
        return lines
    lines += _production(state, seat)
    lines += [f"# F{fleet.letter}D   (at W{fleet.star})" for fleet in state.fleets_of(seat)]
    return lines


def _production(state: State, seat: Seat) -> Iterator[str]:
    """Return an order for every colony that has points, each with a vacant fleet letter."""
    free = (letter for letter in LETTERS if state.fleet(seat, letter) is None)
    for star in state.colonies_of(seat):
        have = points(state, star)
        if star.half_fortified:
            yield f"# W{star.number}F   (the second half; without it, the first is lost)"
        elif have > 1 and (letter := next(free, "")):
            yield f"# W{star.number}B1SF{letter}   ({have} points)"
        elif not objection_to_growth(state, star):
            yield f"# W{star.number}G   ({have} point{'s' if have > 1 else ''})"


def _candidates(state: State, seat: Seat) -> list[Star]:
    zones = homes.zones(state, seat)
    stars = [star for star in state.stars.values() if any(star.row in zone for zone in zones)]
    return [star for star in stars if star.capacity == max(s.capacity for s in stars)]


def forecast(state: State, seat: Seat, orders: Sequence[Order]) -> View:
    """Return the player's colonies and fleets after the turn, if no enemy interferes."""
    if state.stage is not Stage.ORDERS:
        return ()
    turn = plan(state, seat, orders)
    move(turn)
    closing.count_turn(turn)
    return (*_own(turn.state, seat), *left_out(_others(turn.state, seat)))


def _others(known: State, seat: Seat) -> Iterator[tuple[str, str]]:
    """Yield the enemy's colonies and fleets at the stars of a player's own, in words."""
    enemy = known.other(seat)
    of = f"of {known.players[enemy].name}"
    fleets = {fleet.star for fleet in known.fleets_of(seat)}
    for number in sorted(fleets | {star.number for star in known.colonies_of(seat)}):
        if known.stars[number].owner == enemy:
            yield f"W{number}", f"the colony {of}"
        for fleet in known.fleets_at(number, enemy):
            named = "ships" if fleet.letter == HIDDEN else f"F{fleet.letter}"
            yield f"W{number}", f"{named} {of}"


def phase(state: State) -> Phase:
    """Return the phase: its name, and the seats that still have to send orders."""
    if state.stage is Stage.HOMES:
        return Phase("homes", "Homeworlds", homes.choosers(state))
    awaiting = frozenset(state.players) if state.stage is Stage.ORDERS else frozenset[Seat]()
    return Phase("orders", "", awaiting)


def contacts(state: State, seat: Seat) -> frozenset[Seat]:
    """Return the seats a player can write to: the enemy."""
    return frozenset({state.other(seat)})


def gm_notes(state: State) -> Sequence[str]:
    """Return the notes for the GM: the true strength of both sides."""
    return [
        f"{player.name}: {sum(star.size for star in state.colonies_of(seat))} points of colonies, "
        f"{sum(f.ships.warships for f in state.fleets_of(seat))} warships."
        for seat, player in state.players.items()
    ]


def verdict(state: State) -> Verdict | None:
    """Return the result of the game, or None while it runs."""
    if state.stage is not Stage.OVER:
        return None
    return Verdict(frozenset(state.winners), (Prose(state.ending), *standing(state)))


def scores(state: State) -> Mapping[Seat, int]:
    """Return the number of colonies of both players."""
    return {seat: len(state.colonies_of(seat)) for seat in state.players}


def standing(state: State) -> View:
    """Return both players with what they have, however the game ended."""
    rows = tuple(
        (player.name, str(len(state.colonies_of(seat))),
         str(sum(star.size for star in state.colonies_of(seat))),
         str(sum(f.ships.warships for f in state.fleets_of(seat))))
        for seat, player in sorted(state.players.items(), key=lambda each: each[1].name)
    )  # fmt: skip
    return (Table(("Player", "Colonies", "Size", "Warships"), rows),)


def _map_of(state: State, seat: Seat) -> Verbatim:
    """Return the map, with four text columns per hex and every second row shifted half a hex."""
    known = believed(state, seat)
    stars = {(star.row, star.column): star for star in known.stars.values()}
    mine = {fleet.star for fleet in known.fleets_of(seat)}
    theirs = {fleet.star for fleet in known.fleets_of(state.other(seat))}
    lines = []
    for row in range(1, ROWS + 1):
        cells = [_cell(stars.get((row, column)), mine, theirs, seat)
                 for column in range(1, COLUMNS + 1)]  # fmt: skip
        lines.append(f"{row:2} {'  ' if row % 2 == 0 else ''}{''.join(cells)}".rstrip())
    return Verbatim("\n".join(lines), "Map")


def _cell(star: Star | None, mine: set[int], theirs: set[int], seat: Seat) -> str:
    """Return a hex in four columns: owner of the colony, number, owner of the fleets."""
    if star is None:
        return " .  "
    owner = " " if star.owner is None else "+" if star.owner == seat else "-"
    fleet = "!" if star.number in theirs else "'" if star.number in mine else " "
    return f"{owner}{star.number:02}{fleet}"


def _stars_of(state: State) -> Table:
    """Return the list of stars: row and column, capacity and colour, and the stars nearby."""
    stars = ((star.number, star.at, star.capacity) for star in state.stars.values())
    return _star_table(tuple(stars), state.rules.colours)


# No star moves, so the list is the same in all turns of a game, and for both players.
@lru_cache(maxsize=64)
def _star_table(stars: tuple[tuple[int, Hex, int], ...], colours: tuple[str, ...]) -> Table:
    rings = range(1, LINE + 1), range(LINE + 1, REACH), range(REACH, REACH + 1)
    rows = []
    for number, at, capacity in stars:
        far = {to: distance(at, place) for to, place, _ in stars}
        near = (numbers(to for to in far if far[to] in ring) for ring in rings)
        here = f"{at.row},{at.column}", f"{capacity} {colours[capacity - 1]}"
        rows.append((f"W{number}", *here, *near))
    columns = ("Star", "Hex", "Most", "3 hexes or less", "4 hexes", "5 hexes")
    return Table(columns, tuple(rows), "Stars")


def numbers(stars: Iterable[int]) -> str:
    """Return stars as ``W3 8 12``; a cell with only numbers would be aligned to the right."""
    listed = " ".join(map(str, stars))
    return listed and f"W{listed}"
