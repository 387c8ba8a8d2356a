"""The news of a turn: what each empire reads first, of what its report shows (RULES 3.0)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Final

from referee.rules.ruleset import Event, Seat, Weight
from referee.rules.wording import counted, listed
from referee.rulesets.star_empires.charting import keys
from referee.rulesets.star_empires.knowledge import knows_class
from referee.rulesets.star_empires.scoring import victory
from referee.rulesets.star_empires.sectors import Sector, written
from referee.rulesets.star_empires.state import Known, Prohibition, Share, Ship, State, World
from referee.rulesets.star_empires.steps.closing import kind_of
from referee.rulesets.star_empires.steps.ownership import conquerors
from referee.rulesets.star_empires.turn_state import Cause, Turn, Wreck, by_class, named

NAMED: Final = 4
"""The most ships that a sentence names; of more it has the number."""
PLACED: Final = 8
"""The most new objects on the map that a sentence names."""

Place = str | Sector
"""A place in the news: the name of an object on the map, or a sector."""


def tell(turn: Turn) -> None:
    """Record the winners, and the news and the log of the turn for every empire."""
    turn.events += (Event(won.text, None, Weight.END) for won in victory(turn.state))
    for seat in turn.by_name(turn.state.empires):
        reader = _Reader(turn, seat)
        turn.events += (event for sentences in _NEWS for event in sentences(reader))
        turn.events += (line.event(reader.keys) for line in turn.log if line.seat == seat)


@dataclass(frozen=True, slots=True)
class _Voice:
    """The words for an empire: to itself, or for others to read after the end of the game."""

    you: str
    your: str
    at: Callable[[Sector], str]
    """Returns `` at W``; "" if only the empire itself has words for the sector."""
    ships: Callable[[Iterable[Wreck]], str]
    """Returns the number of lost ships; the empire itself reads the names of a few."""


class _Reader:
    """An empire that reads the news of a turn."""

    def __init__(self, turn: Turn, seat: Seat) -> None:
        self.turn, self.seat = turn, seat
        self.before, self.now = turn.before.empires[seat], turn.empire(seat)
        self.keys = keys(turn.state, seat)
        """The keys of the places on its chart, by sector."""
        portals, worlds = self.now.portals.values(), self.now.worlds.values()
        self._names = {each.at: each.name for each in chain[Known](portals, worlds)}

    def place(self, at: Sector) -> str:
        """Return the name of the world or portal in a sector, or else its coordinates."""
        return self._names.get(at) or written(self.now.frame.local(at))

    def event(
        self, weight: Weight, text: str, places: Iterable[Place] = (), told: str = ""
    ) -> Event:
        """Return a piece of news; of *places*, those on the empire's chart."""
        found = (each if isinstance(each, str) else self.keys.get(each, "") for each in places)
        known = tuple(dict.fromkeys(filter(None, found)))
        return Event(text, frozenset({self.seat}), weight, known, told=told)

    def said(self, weight: Weight, says: Callable[[_Voice], str], places: Iterable[Place]) -> Event:
        """Return a piece of news; of a loss, others read after the end of the game, too."""
        there = {world.at: f" at {world.name}" for world in self.turn.state.worlds.values()}
        voices = (
            _Voice("you", "your", lambda at: f" at {self.place(at)}", self._ships),
            _Voice(self.now.name, "their", lambda at: there.get(at, ""), _number),
        )
        text, told = (f"{said[:1].upper()}{said[1:]}." for said in map(says, voices))
        return self.event(weight, text, places, told if weight is Weight.LOSS else "")

    def _ships(self, wrecks: Iterable[Wreck]) -> str:
        ships = [self.turn.written(self.seat, named(wreck)) for wreck in wrecks]
        few = f" ({by_class(ships)})" if 0 < len(ships) <= NAMED else ""
        return f"{_number(ships)}{few}"


def _number(ships: Iterable[object]) -> str:
    number = len([*ships])
    return counted(number, "ship") if number else "no ship"


def _losses(reader: _Reader) -> Iterator[Event]:
    """Yield the worlds, and the ships that no battle with others has cost (R6.3.1, R6.4.5)."""
    turn = reader.turn
    worlds = [
        world
        for world in turn.before.worlds_of(reader.seat)
        if turn.state.worlds[world.name].owner != reader.seat
    ]
    ships = defaultdict[tuple[Sector, Cause], list[Wreck]](list)
    for wreck in turn.wrecks:
        alone = wreck.cause is Cause.STORM or len(turn.battles[wreck.at]) == 1
        if wreck.owner == reader.seat and alone:
            ships[wreck.at, wreck.cause].append(wreck)

    def says(voice: _Voice) -> str:
        parts = [*_lost_worlds(reader, voice, worlds), *_lost_ships(voice, ships)]
        return f"{voice.you} lost {'; '.join(parts)}"

    if worlds or ships:
        yield reader.said(Weight.LOSS, says, (*(w.name for w in worlds), *(at for at, _ in ships)))


def _lost_worlds(reader: _Reader, voice: _Voice, worlds: Iterable[World]) -> Iterator[str]:
    """Yield lost worlds by the owner that the empire knows now."""
    takers = defaultdict[Seat | None, list[str]](list)
    for world in worlds:
        known = reader.now.worlds.get(world.name)
        home = f"{voice.your} homeworld " if world.homeworld else ""
        takers[known.owner if known else None].append(f"{home}{world.name}")
    for taker, names in takers.items():
        free = f", held by no armed ship of {voice.your}s"
        yield listed(names) + (free if taker is None else f" to {reader.turn.name(taker)}")


def _lost_ships(
    voice: _Voice, ships: Mapping[tuple[Sector, Cause], Iterable[Wreck]]
) -> Iterator[str]:
    for (at, cause), lost in ships.items():
        if cause is Cause.STORM:
            place = voice.at(at)
            yield f"{voice.ships(lost)} in {f'the storm{place}' if place else 'a storm'}"
        else:
            yield f"{voice.ships(lost)}{voice.at(at)}, blown up"


def _homeworld(reader: _Reader) -> Iterator[Event]:
    """Yield the new homeworld, or that none is left (R6.4.8, R7)."""
    home = reader.now.homeworld
    if home is None and not reader.before.homeless:
        told = f"{reader.now.name} has no world left."
        yield reader.event(Weight.LOSS, "You have no world left.", told=told)
    elif home is not None and home != reader.before.homeworld:
        weight = Weight.GAIN if reader.before.homeless else Weight.LOSS
        yield reader.event(weight, f"{home} is your homeworld now.", [home])


def _battles(reader: _Reader) -> Iterator[Event]:
    """Yield the battles with others: with own losses, without, and with those of others only."""
    turn, seat = reader.turn, reader.seat
    fought = defaultdict[Weight, dict[Sector, Mapping[Seat, list[Wreck]]]](dict)
    for at, seats in turn.battles.items():
        if seat not in seats or len(seats) == 1:
            continue
        lost = {each: _lost_in_battle(turn, at, each) for each in turn.by_name(seats)}
        if lost[seat]:
            fought[Weight.LOSS][at] = lost
        elif any(lost.values()):
            fought[Weight.GAIN][at] = lost
        elif seats & reader.now.attackers:
            fought[Weight.DANGER][at] = lost
    for weight, battles in sorted(fought.items()):
        yield reader.said(weight, partial(_battle, reader, battles), battles)


def _lost_in_battle(turn: Turn, at: Sector, seat: Seat) -> list[Wreck]:
    lost = (wreck for wreck in turn.wrecks if wreck.cause is not Cause.STORM)
    return [wreck for wreck in lost if (wreck.at, wreck.owner) == (at, seat)]


def _battle(
    reader: _Reader, battles: Mapping[Sector, Mapping[Seat, list[Wreck]]], voice: _Voice
) -> str:
    """Return battles in a sentence, with the losses of all who fought."""
    one, parts = len(battles) == 1, []
    for at, lost in battles.items():
        others = {reader.turn.name(each): len(lost[each]) for each in lost if each != reader.seat}
        end = ", ".join(f"{name} {number or 'none'}" for name, number in others.items())
        losses = f"{voice.you} lost {voice.ships(lost[reader.seat])}, {end}"
        if not any(lost.values()):
            losses = "nobody lost a ship"
        parts.append(f"with {listed(others)}{voice.at(at)}{':' if one else ''} {losses}")
    return f"{'battle' if one else 'battles:'} {'; '.join(parts)}"


def _prohibitions(reader: _Reader) -> Iterator[Event]:
    """Yield the own worlds with another prohibition than before (R6.4.9, R6.4.10)."""
    before, changed = reader.turn.before.worlds, []
    for world in reader.turn.state.worlds_of(reader.seat):
        was = before[world.name]
        kept = was.prohibition if was.owner == reader.seat else Prohibition.NONE
        if world.prohibition is not kept:
            changed.append(world)
    free = [world.name for world in changed if world.prohibition is Prohibition.NONE]
    if free:
        text = f"No longer blockaded or interdicted: {listed(free)}."
        yield reader.event(Weight.GAIN, text, free)
    held = [world for world in changed if world.prohibition is not Prohibition.NONE]
    if held:
        parts = (f"{each.name} is {_held(reader, each)}" for each in held)
        yield reader.event(Weight.DANGER, f"{'; '.join(parts)}.", (each.name for each in held))


def _held(reader: _Reader, world: World) -> str:
    """Return the prohibition of an own world, and by whom."""
    guns = {ship.owner for ship in conquerors(reader.turn.roster, world)} - {reader.seat}
    return (
        f"{world.prohibition.value} by {listed(map(reader.turn.name, reader.turn.by_name(guns)))}"
    )


def _arrivals(reader: _Reader) -> Iterator[Event]:
    """Yield the empires that have come where the empire was and is (R6.8.3)."""
    turn, seat = reader.turn, reader.seat
    stayed = _posts(turn.before, seat) & _posts(turn.state, seat)
    there = {(each.owner, each.at) for each in turn.before.ships.values() if not each.loaded}
    came = defaultdict[Seat, list[Ship]](list)
    for ship in chain.from_iterable(map(turn.roster.at, sorted(stayed))):
        if ship.owner != seat and not ship.loaded and (ship.owner, ship.at) not in there:
            came[ship.owner].append(ship)
    guests = defaultdict[Weight, list[Seat]](list)
    for owner in turn.by_name(came):
        guests[_threat(reader, owner, came[owner])].append(owner)
    for weight, owners in sorted(guests.items()):
        text = "; ".join(
            f"{turn.name(each)} has come {_visit(reader, came[each])}" for each in owners
        )
        yield reader.event(weight, f"{text}.", (ship.at for each in owners for ship in came[each]))


def _visit(reader: _Reader, ships: Iterable[Ship]) -> str:
    there = Counter(reader.place(ship.at) for ship in ships)
    return listed(f"to {at} with {counted(there[at], 'ship')}" for at in sorted(there))


def _posts(state: State, seat: Seat) -> set[Sector]:
    """Return the sectors that an empire sees closely by itself."""
    ships = {ship.at for ship in state.fleet(seat) if not ship.loaded}
    return ships | {world.at for world in state.worlds_of(seat)}


def _threat(reader: _Reader, owner: Seat, ships: Iterable[Ship]) -> Weight:
    """Return DANGER if ships of another empire could be armed, unless both are allies (R8)."""
    state, seat = reader.turn.state, reader.seat
    allied = owner in reader.now.allies and seat in state.empires[owner].allies
    could = any(
        not knows_class(state, seat, ship) or ratings.guns or ratings.racks
        for ship in ships
        for ratings in [state.kind(ship).ratings]
    )
    return Weight.DANGER if could and not allied else Weight.MEETING


def _conquests(reader: _Reader) -> Iterator[Event]:
    """Yield the worlds taken, those of others first (R6.3.6, R6.4.7)."""
    turn = reader.turn
    taken = defaultdict[Seat | None, list[str]](list)
    for world in turn.state.worlds_of(reader.seat):
        if turn.before.worlds[world.name].owner != reader.seat:
            taken[turn.changed_hands.get(world.name)].append(world.name)
    parts = [
        f"{listed(names)} from {turn.name(loser)}"
        for loser, names in taken.items()
        if loser is not None
    ]
    if free := taken.get(None):
        parts.append(f"the free world{'s' if len(free) > 1 else ''} {listed(free)}")
    if parts:
        places = chain.from_iterable(taken.values())
        yield reader.event(Weight.GAIN, f"You took {'; '.join(parts)}.", places)


def _gifts(reader: _Reader) -> Iterator[Event]:
    """Yield the gifts of others, and the salvaged designs (R6.4.1, R6.5, R6.7.3)."""
    gifts = defaultdict[Seat | None, defaultdict[str, list[str]]](lambda: defaultdict(list))
    for gift in reader.turn.gifts:
        if gift.to == reader.seat:
            gifts[gift.giver][gift.kind].append(gift.name)
    parts = [
        f"{reader.turn.name(giver)} gave you {listed(_things(kinds))}"
        for giver, kinds in gifts.items()
        if giver is not None
    ]
    if salvaged := gifts.get(None):
        yield reader.event(Weight.GAIN, f"You salvaged {listed(_things(salvaged))}.")
    if parts:
        yield reader.event(Weight.GAIN, f"{'; '.join(parts)}.")


def _things(kinds: Mapping[str, list[str]]) -> Iterator[str]:
    for kind, names in kinds.items():
        yield from [f"{kind} {listed(names)}"] if kind else names


def _ties(reader: _Reader) -> Iterator[Event]:
    """Yield the empires that are in contact, allied or show scans since this turn, or no more."""
    turn, seat = reader.turn, reader.seat
    if met := reader.now.contacts - reader.before.contacts:
        yield reader.event(
            Weight.MEETING, f"You have met {listed(map(turn.name, turn.by_name(met)))}."
        )
    for ties, begun, ended in _TIES:
        now, was = ties(turn.state, seat), ties(turn.before, seat)
        for weight, others, words in (
            (Weight.MEETING, now - was, begun),
            (Weight.DANGER, was - now, ended),
        ):
            if others:
                names = listed(map(turn.name, turn.by_name(others)))
                yield reader.event(weight, f"{names} {words}.")


def _allied(state: State, seat: Seat) -> set[Seat]:
    """Return the empires in contact with a seat that have declared it an ally (R8)."""
    return {each for each in state.empires[seat].contacts if seat in state.empires[each].allies}


def _showing(state: State, seat: Seat) -> set[Seat]:
    """Return the empires that show a seat any of their scans (R6.8.2)."""
    shares = {each.seat: each.shares.get(seat) for each in state.empires.values()}
    return {each for each, share in shares.items() if share is not None and share != Share()}


_TIES: Final = (
    (_allied, "declared you an ally", "ended the alliance with you"),
    (_showing, "began to show you scans", "stopped showing you scans"),
)


def _discoveries(reader: _Reader) -> Iterator[Event]:
    """Yield the new objects on the map (R6.8.5)."""
    known = {each.name for each in reader.before.objects()}
    new = [each for each in reader.now.objects() if each.name not in known]
    if new:
        named = by_class(f"{kind_of(each)} {each.name}" for each in new)
        text = named if len(new) <= PLACED else counted(len(new), "place")
        yield reader.event(Weight.MEETING, f"New on your map: {text}.", (e.name for e in new))


def _sum(reader: _Reader) -> Iterator[Event]:
    """Yield the RU, worlds and ships, with the change of the production."""
    state, seat = reader.turn.state, reader.seat
    made, was = (
        sum(w.production for w in each.worlds_of(seat)) for each in (state, reader.turn.before)
    )
    worlds = state.worlds_of(seat)
    yield reader.event(
        Weight.NOTE,
        f"You make {made} RU a turn{f' ({made - was:+d})' if made != was else ''} and have "
        f"{sum(world.stockpile for world in worlds)} RU, {counted(len(worlds), 'world')} and "
        f"{counted(len(state.fleet(seat)), 'ship')}.",
    )


_NEWS: Final = (
    _losses,
    _homeworld,
    _battles,
    _prohibitions,
    _arrivals,
    _conquests,
    _gifts,
    _ties,
    _discoveries,
    _sum,
)
"""The kinds of news; those of one weight are read in this sequence."""
