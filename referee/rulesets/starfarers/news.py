"""The news of a part of a round: the losses first, and last what a player has now."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from referee.rules import news
from referee.rules.ruleset import Event, Seat, Weight
from referee.rules.wording import changed, listed
from referee.rulesets.starfarers.landing import ADVICE, PEOPLE, known_people
from referee.rulesets.starfarers.state import Base, Player, Stage, State
from referee.rulesets.starfarers.turn_state import MOTHERSHIP, Loss, Meeting, Round
from referee.rulesets.starfarers.victory import systems

WHOLE: Final = "Near victory, with a colony system in every galaxy"


def tell(game: Round) -> None:
    """Add the news of all players."""
    for seat in game.by_name(game.state.players):
        reader = _Reader(seat, game.name(seat), game)
        game.events += (event for sentences in _NEWS for event in sentences(reader))


@dataclass(frozen=True, slots=True)
class _Reader(news.Reader):
    """A player who reads the news of a part of a round."""

    game: Round

    @property
    def was(self) -> Player:
        """The player before the part."""
        return self.game.before.players[self.seat]

    @property
    def now(self) -> Player:
        """The player after the part."""
        return self.game.player(self.seat)

    def keys(self, hexes: Iterable[int]) -> Iterable[str]:
        """Return the keys of those hexes that the player sees now."""
        state = self.game.state
        seen = (n for n in hexes if state.sees(self.seat, state.hexes[n].galaxy))
        return dict.fromkeys(f"H{number}" for number in seen)

    def at(self, number: int) -> str:
        """Return the place of a hex in words, "" if the player does not see it now."""
        return "".join(f" at {key}" for key in self.keys([number]))


def _end(reader: _Reader) -> Iterator[Event]:
    """Yield how the game, or the part of the player in it, has ended (rule 1, G27)."""
    state = reader.game.state
    if reader.now.out == "eliminated" != reader.was.out:
        told = f"{reader.name} is eliminated."
        yield reader.reads(Weight.END, "You are eliminated.", told=told)
    if state.stage is Stage.OVER:
        deed = "won the game" if reader.seat in state.winners else "lost the game"
        yield reader.did(Weight.END, f"{deed}: {state.ending.removesuffix('.')}")


def _losses(reader: _Reader) -> Iterator[Event]:
    """Yield the lost mothership, bases and ships (rules 13, 35 to 38)."""
    if reader.now.out == "left":
        return
    parts, hexes = list[str](), list[int]()
    if reader.now.captor not in (None, reader.was.captor):
        parts.append(f"the mothership to {reader.game.name(reader.now.captor)}")
        hexes.append(reader.game.state.mothership(reader.seat).number)
    for base in reader.game.before.bases_of(reader.seat):
        taker = _taker(reader, base)
        if taker:
            parts.append(f"B{base.number} ({base.kind.called}){reader.at(base.hex)} to {taker}")
            hexes.append(base.hex)
    for loss in reader.game.lost:
        if loss.ship.owner == reader.seat:
            parts.append(_lost_ship(reader, loss))
            hexes.append(loss.ship.hex)
    if parts:
        yield reader.did(Weight.LOSS, f"lost {listed(parts)}", reader.keys(hexes))


def _taker(reader: _Reader, base: Base) -> str:
    """Return who took or destroyed a base of the player, "" if nobody did."""
    now = reader.game.state.bases.get(base.number)
    takers = (
        "the pirates" if taker is None else reader.game.name(taker)
        for number, loser, taker in reader.game.captures
        if (number, loser) == (base.number, reader.seat)
    )
    return "" if now is not None and now.owner == reader.seat else next(takers, "")


def _lost_ship(reader: _Reader, loss: Loss) -> str:
    """Return a lost ship with the cause, and where it is rebuilt (rules 13, 36)."""
    number, there = loss.ship.number, reader.game.state.ships.get(loss.ship.number)
    what = f"S{number} (mercenary)" if loss.ship.mercenary else f"S{number}"
    fate = f" (rebuilt at H{there.hex})" if there is not None else ""
    return f"{what}{reader.at(loss.ship.hex)} {loss.how}{fate}"


def _dangers(reader: _Reader) -> Iterator[Event]:
    """Yield attacks and retreats, and who is hostile or near victory (rules 1, 32, 35, G14)."""
    game, seat = reader.game, reader.seat
    gone = {f"S{loss.ship.number}" for loss in game.lost}
    gone |= {f"B{base.number}" for base in game.before.bases_of(seat) if _taker(reader, base)}
    gone |= {MOTHERSHIP} if reader.now.captor != reader.was.captor else set()
    if attacks := [each for each in game.attacks if each.on == seat and each.unit not in gone]:
        words = (f"{each.unit}{reader.at(each.hex)} by {each.by}" for each in attacks)
        text = f"Attacked: {listed(dict.fromkeys(words))}."
        yield reader.reads(Weight.DANGER, text, reader.keys(each.hex for each in attacks))
    if ways := {way.ship: way.to for way in game.retreats if way.owner == seat}:
        words = (f"S{ship}{reader.at(to).replace(' at ', ' to ')}" for ship, to in ways.items())
        deed = f"had to retreat with {listed(words)}"
        yield reader.did(Weight.DANGER, deed, reader.keys(ways.values()))
    for what, names in (
        ("Hostile to you", _turned(reader, hostile=True)),
        ("No longer your ally", _named(game, reader.was.allies - reader.now.allies)),
        (
            "Near victory, with a colony system in every galaxy",
            _near_victory(reader) - {reader.name},
        ),
    ):
        if names:
            yield reader.reads(Weight.DANGER, f"{what}: {listed(sorted(names))}.")


def _named(game: Round, seats: Iterable[Seat]) -> set[str]:
    return {game.name(seat) for seat in seats}


def _turned(reader: _Reader, *, hostile: bool) -> set[str]:
    """Return who has become hostile to the player, or peaceful, now or for the next round (G14)."""
    before, now = (_foes(state, reader.seat) for state in (reader.game.before, reader.game.state))
    return now - before if hostile else before - now


def _foes(state: State, seat: Seat) -> set[str]:
    """Return who is or will be hostile to a player."""
    others = state.players.values()
    return {each.name for each in others if seat in each.hostile ^ each.turning and not each.out}


def _near_victory(reader: _Reader) -> set[str]:
    """Return who holds a colony system in every galaxy since this part (rule 1, G11)."""
    state, before = reader.game.state, reader.game.before.players
    if state.stage is Stage.OVER:
        return set()
    return {p.name for s, p in state.players.items() if p.peaceful and not before[s].peaceful}


def _deeds(reader: _Reader) -> Iterator[tuple[str, int]]:
    """Yield the victories in battle and the captures in words, each with its hex."""
    game, seat = reader.game, reader.seat
    yield from ((deed, number) for winner, deed, number in game.won if winner == seat)
    for loss in game.lost:
        if loss.by == reader.name and loss.ship.owner != seat:
            whose = f"S{loss.ship.number} of {game.name(loss.ship.owner)}"
            yield f"destroyed {whose}{reader.at(loss.ship.hex)}", loss.ship.hex
    losers = {number: loser for number, loser, taker in game.captures if taker == seat}
    for base in game.state.bases_of(seat):
        if losers.get(base.number, seat) != seat:
            what = f"B{base.number} ({base.kind.called}) of {game.name(losers[base.number])}"
            yield f"captured {what}{reader.at(base.hex)}", base.hex
    for other, player in game.state.players.items():
        if player.captor == seat != game.before.players[other].captor:
            home = game.state.mothership(other).number
            yield f"captured the mothership of {player.name}", home


def _gains(reader: _Reader) -> Iterator[Event]:
    """Yield the deeds, and what is free or complete now (rules 1, 35 to 38)."""
    if deeds := [*_deeds(reader)]:
        places = reader.keys(number for _, number in deeds)
        yield reader.did(Weight.GAIN, listed(deed for deed, _ in deeds), places)
    if reader.was.captor is not None and reader.now.captor is None and not reader.now.out:
        home = reader.game.state.mothership(reader.seat).number
        yield reader.reads(Weight.GAIN, "Your mothership is free again.", reader.keys([home]))
    if reader.name in _near_victory(reader):
        yield reader.reads(Weight.GAIN, "You hold a colony system in every galaxy.")


def _friends(reader: _Reader) -> Iterator[Event]:
    """Yield who is an ally now, or no longer hostile (rule 39, G14)."""
    allies = _named(reader.game, reader.now.allies - reader.was.allies)
    peaceful = _turned(reader, hostile=False)
    for what, names in (("Now your ally", allies), ("No longer hostile to you", peaceful)):
        if names and not reader.now.out:
            yield reader.reads(Weight.GAIN, f"{what}: {listed(sorted(names))}.")


def _meetings(reader: _Reader) -> Iterator[Event]:
    """Yield people, explored hexes, who has come to the own galaxy, and who has left (G5, G27)."""
    game, seat = reader.game, reader.seat
    for met in game.people:
        if met.seat == seat:
            yield reader.reads(Weight.MEETING, _people(game, met))
    if found := [(number, what) for explorer, number, what in game.explored if explorer == seat]:
        words = (f"H{number} ({what})" for number, what in found)
        places = reader.keys(number for number, _ in found)
        yield reader.did(Weight.MEETING, f"explored {listed(words)}", places)
    came = _guests(game.state, seat) - _guests(game.before, seat)
    if names := _named(game, came):
        yield reader.reads(Weight.MEETING, f"In your galaxy now: {listed(sorted(names))}.")
    left = [(each.name, each.out) for each in game.state.players.values()
            if each.out and each is not reader.now
            and not game.before.players[each.seat].out]  # fmt: skip
    for name, how in sorted(left):
        text = f"{name} {'left the game' if how == 'left' else 'is eliminated'}."
        yield reader.reads(Weight.MEETING, text)


def _people(game: Round, met: Meeting) -> str:
    """Return the people whom a player met, with advice if they are still there."""
    what = f"At H{met.hex} there {PEOPLE[met.card]}."
    if known_people(game.state.hexes[met.hex], met.seat) is None or met.card not in ADVICE:
        return what
    return f"{what} {ADVICE[met.card].format(f'S{met.ship}', met.hex)}"


def _guests(state: State, seat: Seat) -> set[Seat]:
    """Return the others with ships in a player's galaxy, none if the player does not see it now."""
    if not state.sees(seat, seat):
        return set()
    ships = state.ships.values()
    return {s.owner for s in ships if state.hexes[s.hex].galaxy == seat} - {seat}


def _sum(reader: _Reader) -> Iterator[Event]:
    """Yield the cards, ships, bases and colony systems, if the part has changed any."""
    now, was = (_possessions(each, reader.seat) for each in (reader.game.state, reader.game.before))
    if now != was and not reader.now.out:
        things = ("card", "ship", "base", "colony system")
        sums = (changed(new, old, thing=t) for new, old, t in zip(now, was, things, strict=True))
        yield reader.reads(Weight.NOTE, f"You hold {listed(sums)}.")


def _possessions(state: State, seat: Seat) -> tuple[int, int, int, int]:
    """Return the number of cards, ships, bases and colony systems of a player."""
    hand, fleet, bases = state.players[seat].hand, state.fleet(seat), state.bases_of(seat)
    return hand.total, len(fleet), len(bases), systems(state, seat)


_NEWS = (_end, _losses, _dangers, _gains, _friends, _meetings, _sum)
"""The kinds of news, in the sequence of their weights."""
