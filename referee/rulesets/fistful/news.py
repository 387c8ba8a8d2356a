"""The news of a turn: the losses first, and last what a player has now."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.rules import news
from referee.rules.ruleset import Event, Seat, Weight
from referee.rules.wording import changed, listed
from referee.rulesets.fistful.orders import Ships, StarNumber, in_words
from referee.rulesets.fistful.state import REACH, Fleet, Stage, State
from referee.rulesets.fistful.turn_state import Turn


def tell(turn: Turn) -> None:
    """Add the news of both players."""
    for seat in turn.by_name(turn.state.players):
        reader = _Reader(seat, turn.name(seat), turn)
        turn.events += (event for sentences in _NEWS for event in sentences(reader))


@dataclass(frozen=True, slots=True)
class _Reader(news.Reader):
    """A player who reads the news of a turn."""

    turn: Turn

    @property
    def foe(self) -> Seat:
        """The seat of the enemy."""
        return self.turn.state.other(self.seat)

    @property
    def enemy(self) -> str:
        """The name of the enemy."""
        return self.turn.name(self.foe)

    def passed(self, one: Seat | None, other: Seat) -> list[StarNumber]:
        """Return the colonies of a player now that *one* had before; None is nobody."""
        before = self.turn.before.stars
        now = self.turn.state.colonies_of(other)
        return [star.number for star in now if before[star.number].owner == one]

    def own(self, stars: Iterable[StarNumber]) -> str:
        """Return colonies of the player in words: ``homeworld W3 and W7``."""
        home = self.turn.state.players[self.seat].home
        return listed(f"homeworld W{star}" if star == home else f"W{star}" for star in stars)


def _end(reader: _Reader) -> Iterator[Event]:
    """Yield how the game ended for the player (rule 1)."""
    state = reader.turn.state
    if state.stage is Stage.OVER:
        draw, won = len(state.winners) > 1, reader.seat in state.winners
        deed = "played a draw" if draw else "won the game" if won else "lost the game"
        yield reader.did(Weight.END, f"{deed}: {state.ending.removesuffix('.')}")


def _losses(reader: _Reader) -> Iterator[Event]:
    """Yield the lost colonies and ships (rules 17, 20)."""
    turn, home = reader.turn, reader.turn.state.players[reader.seat].home
    lost = reader.passed(reader.seat, reader.foe)
    worlds = listed(f"the homeworld W{star}" if star == home else f"W{star}" for star in lost)
    fleets = _lost(turn, reader.seat)
    ships = listed(_remains(turn.state, fleet) for fleet in fleets)
    parts = [f"{worlds} to {reader.enemy}"] if lost else []
    if fleets:
        parts.append(f"{ships} in battle" if lost else f"{ships} in battle with {reader.enemy}")
    if parts:
        places = _keys([*lost, *(fleet.star for fleet in fleets)])
        yield reader.did(Weight.LOSS, f"lost {', and '.join(parts)}", places)


def _lost(turn: Turn, seat: Seat) -> list[Fleet]:
    return [fleet for fleet in turn.lost if fleet.owner == seat]


def _remains(state: State, lost: Fleet) -> str:
    """Return the ships that a fleet has lost, and their place, in words."""
    which = "all" if state.fleet(lost.owner, lost.letter) is None else "ships"
    return f"{which} of F{lost.letter} at W{lost.star} ({in_words(lost.ships)})"


def _dangers(reader: _Reader) -> Iterator[Event]:
    """Yield the sieges, the own retreats, and the arrivals of the enemy (rules 17, 20, 21)."""
    turn, enemy = reader.turn, reader.enemy
    held = _besieged(turn.state, reader.seat)
    if held:
        told = f"{enemy} besieges {_stars(held)}."
        text = f"{enemy} besieges your {reader.own(held)}."
        yield reader.reads(Weight.DANGER, text, _keys(held), told)
    if ways := [way for way in turn.retreats if way.owner == reader.seat]:
        words = (f"F{way.letter} from W{way.left} to W{way.to}" for way in ways)
        text = f"Your fleets withdrew before {enemy}: {listed(words)}."
        yield reader.reads(Weight.DANGER, text, _keys(way.left for way in ways))
    were = {fleet.star for fleet in turn.before.fleets_of(reader.foe)}
    came = {fleet.star for fleet in turn.state.fleets_of(reader.foe)} - {
        *were,
        *held,
        *reader.passed(reader.seat, reader.foe),
    }
    if near := sorted(at for at in came if turn.state.supplied(reader.seat, at)):
        text = f"{enemy} has come to {_stars(near)}, at most {REACH} hexes from your colonies."
        yield reader.reads(Weight.DANGER, text, _keys(near))


def _besieged(state: State, seat: Seat) -> list[StarNumber]:
    return [star.number for star in state.colonies_of(seat) if star.besieged]


def _gains(reader: _Reader) -> Iterator[Event]:
    """Yield the captured, besieged and freed colonies, and the destroyed ships (rules 17, 20)."""
    turn, enemy = reader.turn, reader.enemy
    if taken := reader.passed(reader.foe, reader.seat):
        yield reader.did(Weight.GAIN, f"captured {_stars(taken)} from {enemy}", _keys(taken))
    if held := _besieged(turn.state, reader.foe):
        yield reader.reads(Weight.GAIN, f"You besiege {_stars(held)} of {enemy}.", _keys(held))
    sums = defaultdict[StarNumber, Ships](Ships)
    for fleet in _lost(turn, reader.foe):
        sums[fleet.star] += fleet.ships
    if sums:
        words = (f"W{at} ({in_words(ships)})" for at, ships in sums.items())
        deed = f"destroyed ships of {enemy} at {listed(words)}"
        yield reader.did(Weight.GAIN, deed, _keys(sums))
    kept = {*reader.passed(reader.seat, reader.seat)} - {*_besieged(turn.state, reader.seat)}
    if free := sorted(kept & {*_besieged(turn.before, reader.seat)}):
        told = f"No longer besieged: {_stars(free)}."
        text = f"No longer besieged: your {reader.own(free)}."
        yield reader.reads(Weight.GAIN, text, _keys(free), told)


def _meetings(reader: _Reader) -> Iterator[Event]:
    """Yield the homeworlds, and the fleets and colonies of the enemy (rules 3, 6, 17, 21)."""
    turn, enemy = reader.turn, reader.enemy
    homes = {s: p.home for s, p in turn.state.players.items() if p.home is not None}
    new = {s: home for s, home in homes.items() if home != turn.before.players[s].home}
    for seat, whose in ((reader.seat, "Your homeworld"), (reader.foe, f"The homeworld of {enemy}")):
        if seat in new:
            yield reader.reads(Weight.MEETING, f"{whose} is W{new[seat]}.", _keys([new[seat]]))
    if met := [fleet for fleet in turn.met if fleet.owner == reader.foe]:
        words = (f"F{fleet.letter} ({fleet.ships}) at W{fleet.star}" for fleet in met)
        text = f"You met {listed(dict.fromkeys(words))} of {enemy}."
        yield reader.reads(Weight.MEETING, text, _keys(fleet.star for fleet in met))
    if left := sorted({way.left for way in turn.retreats if way.owner == reader.foe}):
        text = f"{enemy} withdrew from {_stars(left)}."
        yield reader.reads(Weight.MEETING, text, _keys(left))
    if settled := sorted({*reader.passed(None, reader.foe)} - {*new.values()}):
        text = f"New colonies of {enemy}: {_stars(settled)}."
        yield reader.reads(Weight.MEETING, text, _keys(settled))


def _sum(reader: _Reader) -> Iterator[Event]:
    """Yield the size of all colonies and the number of ships (rules 7, 8)."""
    sizes, ships = zip(
        *(_possessions(each, reader.seat) for each in (reader.turn.state, reader.turn.before)),
        strict=True,
    )
    if any(sizes):
        text = f"You have colonies of size {changed(*sizes)} and {changed(*ships, thing='ship')}."
        yield reader.reads(Weight.NOTE, text)


def _possessions(state: State, seat: Seat) -> tuple[int, int]:
    """Return the size of a player's colonies, and the number of ships."""
    ships = (sum(fleet.ships.counts()) for fleet in state.fleets_of(seat))
    return sum(star.size for star in state.colonies_of(seat)), sum(ships)


def _stars(numbers: Iterable[StarNumber]) -> str:
    return listed(_keys(numbers))


def _keys(numbers: Iterable[StarNumber]) -> Iterable[str]:
    """Return the keys of stars in the chart, each once."""
    return dict.fromkeys(f"W{number}" for number in numbers)


_NEWS = (_end, _losses, _dangers, _gains, _meetings, _sum)
"""The kinds of news, in the sequence of their weights."""
