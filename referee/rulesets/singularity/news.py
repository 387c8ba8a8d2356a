"""The news of a section: the losses first, and last what a player has now."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.rules import news
from referee.rules.ruleset import Event, Seat, Weight
from referee.rules.wording import changed, counted, listed
from referee.rulesets.singularity.board import Space
from referee.rulesets.singularity.economy import value
from referee.rulesets.singularity.factions import called
from referee.rulesets.singularity.knowledge import foreign_ships, is_public
from referee.rulesets.singularity.state import Planet, Player, Section, Ship, State
from referee.rulesets.singularity.turn_state import Struck, Turn
from referee.rulesets.singularity.units import NAMES

NAMED: Final = 6
"""The most ships or places that a sentence about no loss names; of more it has the number."""


def tell(turn: Turn) -> None:
    """Add the news of all players."""
    for seat in turn.by_name(turn.state.players):
        reader = _Reader(seat, turn.name(seat), turn)
        turn.events += (event for sentences in _NEWS for event in sentences(reader))


@dataclass(frozen=True, slots=True)
class _Reader(news.Reader):
    """A player who reads the news of a section."""

    turn: Turn
    in_sight: list[Ship] = field(init=False)
    """The ships of others that the player sees now."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "in_sight", foreign_ships(self.turn.state, self.seat))

    @property
    def was(self) -> Player:
        """The player before the section."""
        return self.turn.before.players[self.seat]

    @property
    def now(self) -> Player:
        """The player after the section."""
        return self.turn.player(self.seat)

    def keys(self, spaces: Iterable[Space]) -> Iterable[str]:
        """Return the keys of those spaces that are on the player's chart."""
        ships = (*self.in_sight, *self.turn.state.fleet(self.seat))
        ends = (at for chart in self.now.charts for at in (chart.start, chart.end))
        shown = {*(ship.at for ship in ships), *ends}
        return dict.fromkeys(
            self.turn.place(at) for at in spaces if at in shown or self.turn.is_planet(at)
        )

    def struck(self, *, own: bool) -> list[Struck]:
        """Return how ships of the player, or those that the player fired at, were hit."""
        mine = (hit for hit in self.turn.struck if (hit.ship.owner == self.seat) is own)
        return [hit for hit in mine if own or self.seat in hit.by]


def _end(reader: _Reader) -> Iterator[Event]:
    """Yield how the war, or the part of the player in it, has ended (rules 1, 2, 25)."""
    state = reader.turn.state
    if state.section is Section.OVER:
        deed = "won the war" if reader.seat in state.winners else "lost the war"
        yield reader.did(Weight.END, f"{deed}: {state.ending.removesuffix('.')}")
    if reader.now.lost and not reader.was.lost:
        told = f"{reader.name} lost everything and is eliminated."
        text = "You lost everything and are eliminated."
        yield reader.reads(Weight.END, text, told=told)


def _losses(reader: _Reader) -> Iterator[Event]:
    """Yield the lost planets, and the destroyed and scrapped ships (rules 7, 19, 22)."""
    turn, parts, places = reader.turn, list[str](), list[Space]()
    for owner, planets in _handed_over(reader, reader.seat).items():
        parts.append(f"{_named(planets)} to {turn.name(owner)}" if owner is not None
                     else f"{_named(planets)}, free now")  # fmt: skip
        places += (planet.at for planet in planets)
    if hits := [hit for hit in reader.struck(own=True) if hit.ship.lost]:
        ships = _by_place(reader, hits, lambda ship: f"S{ship.number} ({NAMES[ship.kind]})")
        parts.append(f"{ships} in combat with {_foes(reader, hits)}")
        places += (hit.ship.at for hit in hits)
    if unpaid := [ship for ship in turn.unpaid if ship.owner == reader.seat]:
        words = (f"S{ship.number} ({NAMES[ship.kind]})" for ship in unpaid)
        parts.append(f"{listed(words)} for lack of points for upkeep")
    if parts and not reader.now.resigned:
        yield reader.did(Weight.LOSS, f"lost {'; '.join(parts)}", reader.keys(places))


def _handed_over(reader: _Reader, seat: Seat) -> dict[Seat | None, list[Planet]]:
    """Return the planets that a player lost, by who has them now."""
    found = defaultdict[Seat | None, list[Planet]](list)
    for planet in reader.turn.before.planets_of(seat):
        now = reader.turn.state.planets[planet.column].owner
        if now != seat:
            found[now].append(planet)
    return found


def _named(planets: Iterable[Planet]) -> str:
    return listed(f"W{planet.column}" for planet in planets)


def _by_place(reader: _Reader, hits: Iterable[Struck], name: Callable[[Ship], str]) -> str:
    """Return ships that were hit in words: ``S21 and S31 at W12, S51 at 12C``."""
    there = defaultdict[str, list[str]](list)
    for hit in hits:
        there[reader.turn.place(hit.ship.at)].append(name(hit.ship))
    return ", ".join(f"{listed(names)} at {at}" for at, names in there.items())


def _foes(reader: _Reader, hits: Iterable[Struck]) -> str:
    return listed(map(reader.turn.name, reader.turn.by_name(s for hit in hits for s in hit.by)))


def _dangers(reader: _Reader) -> Iterator[Event]:
    """Yield hits, arrivals, lost allies and the successes of others (rules 2, 18, 24)."""
    turn, seat = reader.turn, reader.seat
    left = {hit.ship.number: hit for hit in reader.struck(own=True) if not hit.ship.lost}
    hits = [hit for number, hit in left.items() if number in turn.state.ships]
    if hits:
        dark = sum(hit.ship.dark for hit in hits)
        words = _by_place(reader, hits, lambda ship: f"S{ship.number}{' (dark now)' * ship.dark}")
        if len(hits) > NAMED:
            words = f"{len(hits)} ships, {dark} of which are dark now"
        text = f"Hit in combat with {_foes(reader, hits)}: {words}."
        yield reader.reads(Weight.DANGER, text, reader.keys(hit.ship.at for hit in hits))
    if came := _arrivals(reader):
        places = reader.keys(ship.at for ship in came)
        text, told = (f"{_fleets(reader, came, 'has come to', own)}." for own in ("your ", ""))
        yield reader.reads(Weight.DANGER, text, places, told)
    if lost := reader.was.allies - reader.now.allies:
        text = f"No longer your ally: {listed(map(turn.name, turn.by_name(lost)))}."
        yield reader.reads(Weight.DANGER, text)
    for other in turn.by_name(turn.state.players):
        if other != seat and is_public(turn.state) and _in_a_row(reader, other):
            text = f"{turn.name(other)} {_in_a_row(reader, other)}."
            yield reader.reads(Weight.DANGER, text)


def _in_a_row(reader: _Reader, seat: Seat) -> str:
    """Return how often a player has begun with enough planets, if that is news (rule 1)."""
    state, before = reader.turn.state, reader.turn.before.players[seat]
    times = state.players[seat].successive
    if times <= before.successive or state.section is Section.OVER:
        return ""
    turns = "a turn" if times == 1 else f"{times} turns in a row"
    return f"began {turns} with at least {state.rules.to_win} planets"


def _arrivals(reader: _Reader) -> list[Ship]:
    """Return the ships of others, not allies, that have come where the player was and is."""
    state, before, seat = reader.turn.state, reader.turn.before, reader.seat
    there = {(ship.owner, ship.at) for ship in before.ships.values() if not ship.dark}
    stayed = _posts(state, seat) & _posts(before, seat)
    return [
        ship
        for ship in reader.in_sight
        if ship.at in stayed
        and not state.allied(ship.owner, seat)
        and (ship.owner, ship.at) not in there
    ]


def _posts(state: State, seat: Seat) -> set[Space]:
    """Return the spaces that a player sees by a planet or ship of their own there."""
    ships = {ship.at for ship in state.fleet(seat) if not ship.dark}
    return ships | {planet.at for planet in state.planets_of(seat)}


def _fleets(reader: _Reader, ships: Sequence[Ship], verb: str, own: str = "") -> str:
    """Return ships by owner, and by place unless there are too many; *own* is of own planets."""
    turn, owners = reader.turn, defaultdict[Seat, Counter[str]](Counter)
    for ship in ships:
        planet = turn.state.planets[ship.at.column]
        yours = own if turn.is_planet(ship.at) and planet.owner == reader.seat else ""
        owners[ship.owner][f"{yours}{turn.place(ship.at)}"] += 1
    return "; ".join(
        f"{turn.name(owner)} {verb} "
        + (
            listed(f"{at} ({counted(number, 'ship')})" for at, number in owners[owner].items())
            if len(owners[owner]) <= NAMED
            else f"{len(owners[owner])} places ({counted(owners[owner].total(), 'ship')})"
        )
        for owner in turn.by_name(owners)
    )


def _gains(reader: _Reader) -> Iterator[Event]:
    """Yield the planets taken, ships destroyed, and allies won (rules 2, 19, 22, 24)."""
    turn, seat = reader.turn, reader.seat
    parts, places = list[str](), list[Space]()
    before = {planet.column: planet.owner for planet in turn.before.planets.values()}
    taken = [planet for planet in turn.state.planets_of(seat) if before[planet.column] != seat]
    for owner in (None, *turn.by_name(turn.state.players)):
        if some := [planet for planet in taken if before[planet.column] == owner]:
            parts.append(_named(some) + ("" if owner is None else f" from {turn.name(owner)}"))
            places += (planet.at for planet in some)
    if parts:
        yield reader.did(Weight.GAIN, f"took {'; '.join(parts)}", reader.keys(places))
    if hits := [hit for hit in reader.struck(own=False) if hit.ship.lost]:
        words = _by_place(reader, hits, lambda ship: f"S{ship.number} of {turn.name(ship.owner)}")
        places = [hit.ship.at for hit in hits]
        yield reader.did(Weight.GAIN, f"destroyed {words}", reader.keys(places))
    if won := reader.now.allies - reader.was.allies:
        yield reader.reads(
            Weight.GAIN, f"Now your ally: {listed(map(turn.name, turn.by_name(won)))}."
        )
    if times := _in_a_row(reader, seat):
        yield reader.did(Weight.GAIN, times)


def _meetings(reader: _Reader) -> Iterator[Event]:
    """Yield who has left, the ships that came in sight, and new jumps (rules 13, 25, T7)."""
    turn, before = reader.turn, reader.turn.before
    for other in turn.by_name(turn.state.players):
        was, now = before.players[other], turn.player(other)
        if other != reader.seat and now.resigned and not was.resigned:
            yield reader.reads(Weight.MEETING, f"{now.name} left the war.")
        if other != reader.seat and now.lost and not was.lost:
            yield reader.reads(Weight.MEETING, f"{now.name} lost everything and is eliminated.")
    told = {ship.number for ship in _arrivals(reader)}
    told |= {ship.number for ship in foreign_ships(before, reader.seat)}
    if new := [ship for ship in reader.in_sight if ship.number not in told]:
        text = f"New in sight: {_fleets(reader, new, 'at')}."
        yield reader.reads(Weight.MEETING, text, reader.keys(ship.at for ship in new))
    if charts := [chart for chart in reader.now.charts if chart not in reader.was.charts]:
        words = (f"from {turn.space(chart.start)} to {turn.space(chart.end)}" for chart in charts)
        ends = (at for chart in charts for at in (chart.start, chart.end))
        yield reader.reads(Weight.MEETING, f"New jumps: {listed(words)}.", reader.keys(ends))


def _factions(reader: _Reader) -> Iterator[Event]:
    """Yield the factions that began or ended (rules 2, 3)."""
    turn = reader.turn
    for factions, others, verb, own, other in (
        (turn.before.factions, turn.state.factions, "dissolved", Weight.LOSS, Weight.GAIN),
        (turn.state.factions, turn.before.factions, "was declared", Weight.GAIN, Weight.DANGER),
    ):
        for faction in factions:
            if faction not in others:
                weight = own if reader.seat in faction.members else other
                yield reader.reads(weight, f"The {called(turn, faction)} {verb}.")


def _sum(reader: _Reader) -> Iterator[Event]:
    """Yield the planets, income, ships and points, if the section has changed any."""
    now, was = (_possessions(each, reader.seat) for each in (reader.turn.state, reader.turn.before))
    if now != was:
        planets, ships, points = (
            changed(new, old, thing=thing)
            for new, old, thing in zip(now[:3], was, ("planet", "ship", "point"), strict=False)
        )
        income = changed(now[3], was[3])
        text = f"You hold {planets} with an income of {income}, {ships} and {points}."
        yield reader.reads(Weight.NOTE, text)


def _possessions(state: State, seat: Seat) -> tuple[int, int, int, int]:
    """Return the number of planets, ships and points of a player, and the income."""
    player, planets = state.players[seat], state.planets_of(seat)
    income = sum(value(state, player, planet.colour) for planet in planets)
    return len(planets), len(state.fleet(seat)), player.points, income


_NEWS = (_end, _losses, _dangers, _gains, _factions, _meetings, _sum)
"""The kinds of news; those of one weight are read in this sequence."""
