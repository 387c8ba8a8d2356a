"""The notation of a state, for scenarios and for corrections by GMs.

::

    H14 [ARGO] 1,-1 planet O            a hex of ARGO's galaxy: its place and what is there
    H14 [ARGO] 1,-1 planet O occupied   an occupied planet that nobody has visited
    H14 [ARGO] 1,-1 planet O toll       an open encounter that all players have met
    H14 [ARGO] 1,-1 planet O toll met ARGO       only ARGO has met it
    H14 [ARGO] 1,-1 planet O until 5    under quarantine: nobody lands before round 5
    H15 [ARGO] 2,-1 pirates 3           with three cannons
    S3 [ARGO] H14                       a starship; S3 [ARGO] H14 mercenary; S3 - removes it
    B2 [ARGO] colony H14                a base on a planet; H14c in orbit; B2 - removes it
    [ARGO] hand 2O1U                    also: boosters 2, cannons 1, rings 0, captor BEAGLE,
                                        hostile BEAGLE, allies BEAGLE, peaceful 1
    BAG [ARGO] planet O, pirates 2      the tiles left in a galaxy's bag; or: nothing
    DECK toll, relic                    the next encounters; or: nothing
"""

import re
from typing import Final

from referee.rules.dice import Dice
from referee.rules.notation import Notation, NotationRunner
from referee.rules.ruleset import Seat, UserError
from referee.rules.scenarios import Case, entries, seat_of
from referee.rulesets.starfarers.decks import encounters
from referee.rulesets.starfarers.goods import LETTERS, Goods, goods_of
from referee.rulesets.starfarers.options import rules_of
from referee.rulesets.starfarers.orders import BaseKind
from referee.rulesets.starfarers.state import (
    Base,
    Card,
    Hex,
    Kind,
    Mode,
    Player,
    Ship,
    Stage,
    State,
    Tile,
)

_HEX: Final = re.compile(
    r"H(?P<number>[0-9]{1,4}) \[(?P<galaxy>[A-Z]+)\] (?P<q>-?[0-9]{1,3}),(?P<r>-?[0-9]{1,3})"
    r" (?P<what>.+)"
)
_SHIP: Final = re.compile(
    r"S(?P<number>[0-9]{1,4}) (?:-|\[(?P<owner>[A-Z]+)\] H(?P<hex>[0-9]{1,4})"
    r"(?P<mercenary> mercenary)?)"
)
_BASE: Final = re.compile(
    r"B(?P<number>[0-9]{1,4}) (?:-|\[(?P<owner>[A-Z]+)\] (?P<kind>trade port|colony|spaceport)"
    r" H(?P<hex>[0-9]{1,4})(?P<corner>[a-f]?))"
)
_PLAYER: Final = re.compile(r"\[(?P<name>[A-Z]+)\] (?P<key>[a-z]+)(?: (?P<value>.+))?")
_BAG: Final = re.compile(r"BAG \[(?P<galaxy>[A-Z]+)\] (?P<tiles>.+)")
_DECK: Final = re.compile("DECK (?P<cards>.+)")
NUMBERS: Final = ("boosters", "cannons", "rings", "peaceful")
SEATS: Final = ("hostile", "allies", "turning")


def _set_hex(state: State, found: re.Match[str]) -> None:
    number, galaxy = int(found["number"]), seat_of(state, found["galaxy"])
    what, _, until = found["what"].partition(" until ")
    what, _, met = what.partition(" met ")
    tile, card = _tile(what)
    if until and (tile.kind is not Kind.PLANET or tile.occupied or not until.isdecimal()):
        raise UserError(
            f"{found[0]}: expected a free planet and a round, such as planet O until 5."
        )
    if met and card is None:
        raise UserError(
            f"{found[0]}: expected an encounter before met, such as planet O toll met ARGO."
        )
    known = [seat_of(state, name) for name in met.split()] or list(state.players)
    state.hexes[number] = Hex(
        number, galaxy, (int(found["q"]), int(found["r"])), tile.kind, tile.resource,
        occupied=tile.occupied, cannons=tile.cannons, card=card,
        met=set(known) if card else set(), quarantined_until=int(until or 0),
    )  # fmt: skip


def _tile(text: str) -> tuple[Tile, Card | None]:
    """Return the tile and the open encounter for a text. Raises UserError if it is invalid."""
    kind, _, rest = text.strip().partition(" ")
    if kind == Kind.PLANET.value and rest[:1] in LETTERS and rest:
        resource, _, who = rest.partition(" ")
        if len(resource) != 1:
            raise UserError(f"{text}: expected one of the letters {LETTERS}, but found {resource}.")
        return Tile(Kind.PLANET, resource, occupied=bool(who)), _card(text, who)
    if kind == Kind.PIRATES.value and rest.isdecimal():
        return Tile(Kind.PIRATES, cannons=int(rest)), None
    if not rest and kind in {each.value for each in Kind} - {"planet", "pirates"}:
        return Tile(Kind(kind)), None
    raise UserError(
        f"{text}: expected a tile, such as planet O, planet O toll, pirates 3 or empty."
    )


def _card(text: str, who: str) -> Card | None:
    if who in ("", "occupied"):
        return None
    if who not in {card.value for card in Card}:
        raise UserError(f"{text}: unknown encounter {who}.")
    return Card(who)


def _set_ship(state: State, found: re.Match[str]) -> str | None:
    number = int(found["number"])
    state.ships.pop(number, None)
    if found["owner"] is None:
        return f"S{number} is removed."
    owner, place = seat_of(state, found["owner"]), _hex(state, found["hex"])
    state.ships[number] = Ship(number, owner, place, mercenary=bool(found["mercenary"]))
    state.built_ships = max(state.built_ships, number)
    return None


def _set_base(state: State, found: re.Match[str]) -> str | None:
    number = int(found["number"])
    state.bases.pop(number, None)
    if found["owner"] is None:
        return f"B{number} is removed."
    kind = BaseKind[found["kind"].upper().replace(" ", "_")]
    owner, place = seat_of(state, found["owner"]), _hex(state, found["hex"])
    state.bases[number] = Base(number, owner, kind, place, found["corner"])
    state.built_bases = max(state.built_bases, number)
    return None


def _set_player(state: State, found: re.Match[str]) -> None:
    player = state.players[seat_of(state, found["name"])]
    key, value = found["key"], found["value"] or ""
    if key == "hand":
        player.hand = Goods() if value == "nothing" else goods_of(value)
    elif key in NUMBERS and value.isdecimal():
        setattr(player, key, int(value))
    elif key == "captor":
        player.captor = seat_of(state, value) if value else None
    elif key in SEATS:
        setattr(player, key, {seat_of(state, name) for name in value.split()})
    else:
        raise UserError(
            f"{found[0]}: expected hand, {', '.join(NUMBERS)}, captor, hostile or allies."
        )


def _set_bag(state: State, found: re.Match[str]) -> None:
    galaxy = seat_of(state, found["galaxy"])
    texts = [] if found["tiles"] == "nothing" else found["tiles"].split(",")
    state.bags[galaxy] = [_tile(text)[0] for text in texts]


def _set_deck(state: State, found: re.Match[str]) -> None:
    cards = {card.value: card for card in Card}
    if found["cards"] == "nothing":
        state.deck = []
        return
    names = [name.strip() for name in found["cards"].split(",")]
    if unknown := [name for name in names if name not in cards]:
        raise UserError(f"Unknown encounter {unknown[0]}. The encounters are {', '.join(cards)}.")
    state.deck = [cards[name] for name in names]


def ship_line(state: State, ship: Ship) -> str:
    """Return the line of a ship."""
    hired = " mercenary" if ship.mercenary else ""
    return f"S{ship.number} [{state.players[ship.owner].name}] H{ship.hex}{hired}"


def base_line(state: State, base: Base) -> str:
    """Return the line of a base."""
    head = f"B{base.number} [{state.players[base.owner].name}] {base.kind.called}"
    return f"{head} H{base.hex}{base.corner}"


def hex_line(state: State, place: Hex) -> str:
    """Return the line of a hex with what is there."""
    head = f"H{place.number} [{state.players[place.galaxy].name}] {place.at[0]},{place.at[1]}"
    until = f" until {place.quarantined_until}" if place.quarantined_until else ""
    names = "" if place.card is None else _met(state, place)
    return f"{head} {_content(place)}{names}{until}"


def _met(state: State, place: Hex) -> str:
    if place.met == set(state.players):
        return ""
    return f" met {' '.join(state.players[seat].name for seat in sorted(place.met))}"


def bag_line(state: State, galaxy: Seat) -> str:
    """Return the line of the tiles left in the bag of a galaxy."""
    tiles = ", ".join(map(_content, state.bags[galaxy])) or "nothing"
    return f"BAG [{state.players[galaxy].name}] {tiles}"


def deck_line(state: State) -> str:
    """Return the line of the encounters left in the deck."""
    return f"DECK {', '.join(card.value for card in state.deck) or 'nothing'}"


def _content(place: Hex | Tile) -> str:
    if place.kind is Kind.PIRATES:
        return f"pirates {place.cannons}"
    if place.kind is not Kind.PLANET:
        return str(place.kind.value)
    card = place.card if isinstance(place, Hex) else None
    who = "" if not place.occupied else f" {card.value if card else 'occupied'}"
    return f"planet {place.resource}{who}"


def _hex(state: State, text: str) -> int:
    if int(text) not in state.hexes:
        raise UserError(f"There is no H{text}.")
    return int(text)


def _lines(state: State) -> set[str]:
    names = {seat: player.name for seat, player in state.players.items()}
    lines = {hex_line(state, place) for place in state.hexes.values()}
    lines |= {ship_line(state, ship) for ship in state.ships.values()}
    lines |= {base_line(state, base) for base in state.bases.values()}
    lines |= {bag_line(state, galaxy) for galaxy in state.bags} | {deck_line(state)}
    for player in state.players.values():
        head = f"[{player.name}]"
        lines.add(f"{head} hand {player.hand}")
        lines |= {f"{head} {key} {getattr(player, key)}" for key in NUMBERS}
        captor = "" if player.captor is None else names[player.captor]
        lines.add(f"{head} captor {captor}".rstrip())
        for key in SEATS:
            seats = " ".join(names[seat] for seat in sorted(getattr(player, key)))
            lines.add(f"{head} {key} {seats}".rstrip())
    return lines


NOTATION: Final = Notation(
    changes=(
        (_HEX, _set_hex),
        (_SHIP, _set_ship),
        (_BASE, _set_base),
        (_PLAYER, _set_player),
        (_BAG, _set_bag),
        (_DECK, _set_deck),
    ),
    lines=_lines,
    forms="S3 [ARGO] H14, B2 [ARGO] colony H14 or [ARGO] hand 2O",
    example="[ARGO] hand 2O1U sets a hand",
)


class StarfarersScenarios(NotationRunner[State]):
    """The runner of scenario files."""

    keys = frozenset({"seats", "round", "stage", "winners"})
    notation = NOTATION

    def fits(self, case: Case) -> bool:
        """Return whether a case is one of this game: it has seats, in the order of play."""
        return isinstance(case.get("seats"), list)

    def empty(self, case: Case) -> State:
        """Return a state with the players, each with a mothership in an empty galaxy."""
        names = case.get("seats", [])
        if not isinstance(names, list) or len(names) < 2:
            raise UserError('seats: expected names in the order of play, such as ["A", "B"].')
        rules = rules_of(dict(entries(case, "options")))
        seats = [Seat(number) for number in range(1, len(names) + 1)]
        first = Stage.TRAVEL if rules.mode is Mode.PHASED else Stage.TURN
        return State(
            round=int(case.get("round", 1)),
            stage=Stage(case.get("stage", first.value)),
            rules=rules,
            hexes={int(seat): Hex(int(seat), seat, (0, 0), Kind.MOTHERSHIP) for seat in seats},
            ships={},
            bases={},
            players={
                seat: Player(seat, str(name).upper(), hand=Goods())
                for seat, name in zip(seats, names, strict=True)
            },
            bags={seat: [] for seat in seats},
            deck=encounters(rules.encounters, (), 0, Dice(b"scenario")),
            turn_of=seats[0] if rules.mode is Mode.SERIAL else None,
        )

    def dice_path(self, state: State) -> str:
        """Return the path of the dice of a batch."""
        return f"round {state.round}|{state.stage.value}|{state.turn_of or ''}"


SCENARIOS: Final = StarfarersScenarios()
