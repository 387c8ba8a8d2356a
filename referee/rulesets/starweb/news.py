"""The news of a turn: losses, strangers, gains and meetings, as the reports show them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from referee.rules.news import by_owner, few
from referee.rules.ruleset import Event, Seat, Weight
from referee.rules.wording import counted, listed
from referee.rulesets.starweb.orders import FleetNumber, WorldNumber
from referee.rulesets.starweb.state import Fleet, State, World
from referee.rulesets.starweb.text import name_of
from referee.rulesets.starweb.turn_state import Hits, Loss, Turn

N = TypeVar("N", bound=int)
T = TypeVar("T", World, Fleet)

Thing = World | Fleet
Passed = Sequence[tuple[Thing, Thing]]
"""Worlds and fleets that have another owner than before the turn: as they were, as they are."""
Ships = Counter[tuple[WorldNumber, Seat]]
"""The ships of each player at each world."""


def tell(turn: Turn) -> None:
    """Add the news of each player, no more than their report shows (s26, s27)."""
    passed: list[tuple[Thing, Thing]] = [*_passed(turn.before.worlds, turn.state.worlds)]
    passed += _passed(turn.before.fleets, turn.state.fleets)
    strangers = _strangers(turn)
    for seat in turn.by_name(turn.state.players):
        shown = turn.player(seat).worlds
        mine = [(was, now) for was, now in passed if _place(now) in shown]
        turn.events += _of_owners(turn, seat, mine)
        turn.events += _of_destruction(turn, seat)
        turn.events += _of_strangers(turn, seat, strangers[seat])
        turn.events += _of_player(turn, seat)


def _passed(before: Mapping[N, T], after: Mapping[N, T]) -> Iterator[tuple[T, T]]:
    return (
        (before[number], now) for number, now in after.items() if before[number].owner != now.owner
    )


def _place(thing: Thing) -> WorldNumber:
    return thing.world if isinstance(thing, Fleet) else thing.number


def _places(numbers: Iterable[WorldNumber]) -> tuple[str, ...]:
    return tuple(f"W{number}" for number in dict.fromkeys(numbers))


def _own(turn: Turn, seat: Seat, weight: Weight, said: str, at: Iterable[WorldNumber]) -> Event:
    """Return an event of which the player is the subject; others read it with their name."""
    told = f"{turn.name(seat)} {said}."
    return Event(f"You {said}.", frozenset({seat}), weight, _places(at), told=told)


def _of_owners(turn: Turn, seat: Seat, passed: Passed) -> Iterator[Event]:
    """Yield the changes of owners: losses, captures and gifts (s8, s18)."""
    lost = [
        now
        for was, now in passed
        if was.owner == seat != now.gift_from and not _is_wreck(turn, now)
    ]
    got = [now for _was, now in passed if now.owner == seat]
    won = [now for now in got if now.gift_from is None]
    given = [now for now in got if now.gift_from is not None]
    for things, weight, verb, joint in (
        (lost, Weight.LOSS, "lost", "to"),
        (won, Weight.GAIN, "captured", "from"),
        (given, Weight.GAIN, "received", "from"),
    ):
        others = (now.owner if things is lost else now.gift_from or now.lost_by for now in things)
        names = [name_of(turn.state, other) for other in others]
        what = by_owner(dict(zip(map(_called, things), names, strict=True)), joint)
        if things:
            yield _own(turn, seat, weight, f"{verb} {what}", map(_place, things))


def _is_wreck(turn: Turn, thing: Thing) -> bool:
    """Return whether a thing is a key whose ships were destroyed: these have a sentence."""
    return isinstance(thing, Fleet) and thing.number in turn.losses and not thing.ships


def _called(thing: Thing) -> str:
    """Return a world or a key in words, with its ships and artifacts."""
    if isinstance(thing, World):
        return _with(f"W{thing.number}", thing)
    ships = f" ({counted(thing.ships, 'ship')})" if thing.ships else ""
    return _with(f"F{thing.number}{ships}", thing)


def _with(name: str, thing: Thing) -> str:
    artifacts = [f"V{number}" for number in sorted(thing.artifacts)]
    return f"{name} with {listed(artifacts)}" if artifacts else name


def _of_destruction(turn: Turn, seat: Seat) -> Iterator[Event]:
    """Yield the losses of ships, home ships and industry, the largest first."""
    before = turn.before
    fleets = [number for number in turn.losses if before.fleets[number].owner == seat]
    fleets.sort(key=lambda number: (-_sum(turn.losses[number]), number))
    worlds = [number for number in sorted(turn.hits) if before.worlds[number].owner == seat]
    parts = [_destroyed(turn, number) for number in fleets]
    parts += [f"{_hit(turn.hits[number])} to fire at W{number}" for number in worlds]
    at = [loss.world for number in fleets for loss in turn.losses[number]]
    if parts:
        yield _own(turn, seat, Weight.LOSS, f"lost {few(parts)}", (*at, *worlds))


def _sum(losses: Iterable[Loss]) -> int:
    return sum(loss.ships for loss in losses)


def _hit(hits: Hits) -> str:
    ships = [counted(hits.ships, "home ship")] if hits.ships else []
    return listed([*ships, f"{hits.industry} industry"] if hits.industry else ships)


def _destroyed(turn: Turn, number: FleetNumber) -> str:
    """Return the losses of a fleet, the causes, and the rest or the new owner of the key."""
    fleet, losses = turn.state.fleets[number], turn.losses[number]
    causes: defaultdict[str, list[WorldNumber]] = defaultdict(list)
    for loss in losses:
        causes[loss.cause].append(loss.world)
    why = listed(f"{cause} at {listed(_places(at))}" for cause, at in causes.items())
    if fleet.ships:
        return f"{counted(_sum(losses), 'ship')} of F{number} {why} ({fleet.ships} left)"
    whole = {1: "the only ship", 2: "both ships"}.get(_sum(losses), f"all {_sum(losses)} ships")
    return f"{whole} of F{number} {why}{_fate(turn, fleet)}"


def _fate(turn: Turn, key: Fleet) -> str:
    if key.owner == turn.before.fleets[key.number].owner:
        return ""
    return f" ({name_of(turn.state, key.owner) or 'nobody'} has {_with('the key', key)})"


def _strangers(turn: Turn) -> defaultdict[Seat, Ships]:
    """Return the ships at the worlds of each player whose owner had none there, and is no ally."""
    before, after = _ships(turn.before), _ships(turn.state)
    found: defaultdict[Seat, Ships] = defaultdict(Counter)
    for (number, stranger), ships in after.items():
        owner = turn.world(number).owner
        known = owner in (None, stranger) or turn.allied(owner, stranger)
        if owner is not None and not known and (number, stranger) not in before:
            found[owner][number, stranger] = ships
    return found


def _ships(state: State) -> Ships:
    ships: Ships = Counter()
    for fleet in state.fleets.values():
        if fleet.owner is not None and fleet.ships:
            ships[fleet.world, fleet.owner] += fleet.ships
    return ships


def _of_strangers(turn: Turn, seat: Seat, strangers: Ships) -> Iterator[Event]:
    """Yield the players who have come to worlds of this one (s27)."""
    come: defaultdict[str, list[str]] = defaultdict(list)
    for (number, other), ships in sorted(strangers.items()):
        come[turn.name(other)].append(f"W{number} ({counted(ships, 'ship')})")
    if come:
        parts = [f"{name} to your {few(at)}" for name, at in sorted(come.items())]
        parts[0] = parts[0].replace(" to your ", " has come to your ", 1)
        places, text = _places(number for number, _ in sorted(strangers)), f"{'; '.join(parts)}."
        told = text.replace(" to your ", " to ")
        yield Event(text, frozenset({seat}), Weight.DANGER, places, told=told)


def _of_player(turn: Turn, seat: Seat) -> Iterator[Event]:
    """Yield the meetings and the score of a player (s4, s26)."""
    was, now, mine = turn.before.players[seat], turn.player(seat), frozenset({seat})
    if met := [turn.name(other) for other in now.met if other not in was.met]:
        told = f"{now.name} has met {listed(met)}."
        yield Event(f"You have met {listed(met)}.", mine, Weight.MEETING, told=told)
    more = now.score - was.score
    how = f"{'rose' if more > 0 else 'fell'} by {abs(more)} to" if more else "is still"
    told = f"The score of {now.name} {how} {now.score}."
    yield Event(f"Your score {how} {now.score}.", mine, Weight.NOTE, told=told)
