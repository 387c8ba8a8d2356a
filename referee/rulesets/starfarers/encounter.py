"""The Encounter phase: battles, planets, traders and mercenaries (rules 17 to 23)."""

from collections.abc import Sequence
from typing import Final

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers import battle
from referee.rulesets.starfarers.decks import encounters
from referee.rulesets.starfarers.economy import CAP_KEYS
from referee.rulesets.starfarers.goods import LETTERS, of
from referee.rulesets.starfarers.orders import (
    Answer,
    Attack,
    Barter,
    Enhancement,
    Hire,
    Target,
)
from referee.rulesets.starfarers.state import Card, Hex, Kind, Ship, State
from referee.rulesets.starfarers.working import ENCOUNTERS, Given, Round

PRICE: Final = 3
"""What a mercenary costs, in cards of any kind (rule 21)."""
QUARANTINE: Final = 3


def meet(game: Round, seat: Seat) -> None:
    """Settle what a player's ships meet, ship by ship."""
    _attack(game, seat)
    for ship in sorted(game.state.fleet(seat), key=lambda ship: ship.number):
        _enter_ranges(game, ship)
    for place in list(game.state.hexes.values()):
        if place.kind is Kind.PIRATES:
            battle.meet_pirates(game, seat, place)
    for ship in sorted(game.state.fleet(seat), key=lambda ship: ship.number):
        if ship.number in game.state.ships and not ship.mercenary:
            _land(game, ship)
    battle.liberate(game, seat)


def _attack(game: Round, seat: Seat) -> None:
    """Carry out the attacks that were ordered (rule 32)."""
    struck: set[int] = set()
    for given in list(game.given(seat, Attack)):
        ship = game.ship(given)
        if ship is None:
            continue
        reason = objection_to_attack(game.state, ship, given.order)
        if reason or ship.number in struck:
            given.fail(reason or f"S{ship.number} has attacked already")
            continue
        struck.add(ship.number)
        given.succeed()
        _strike(game, ship, given)


def objection_to_attack(state: State, ship: Ship, order: Attack) -> str:
    """Say why a ship cannot attack; nothing when its target is near enough and no friend's."""
    if ship.ready > state.round:
        return f"S{ship.number} is being rebuilt and fights from the next round"
    near, owner, name = False, None, f"{order.target.value}{order.number}"
    if order.target is Target.SHIP and order.number in state.ships:
        target = state.ships[order.number]
        near, owner = state.near(ship.hex, target.hex), target.owner
    elif order.target is Target.BASE and order.number in state.bases:
        base = state.bases[order.number]
        near = any(state.near(ship.hex, number) for number in state.hexes_of(base))
        owner = base.owner
    elif order.target is Target.MOTHERSHIP and Seat(order.number) in state.players:
        owner = Seat(order.number)
        near = state.near(ship.hex, state.mothership(owner).number)
        if state.players[owner].captor is not None:
            return f"{name} is captured already"
    elif order.target is Target.HEX and order.number in state.hexes:
        place = state.hexes[order.number]
        card = place.card is not None and place.card.strength > 0
        unknown = place.occupied and place.card is None and ship.hex == place.number
        if place.kind is not Kind.PIRATES and not card and not unknown:
            return f"nobody at {name} can be attacked"
        near = state.near(ship.hex, order.number)
    else:
        return f"there is no {name}"
    if owner is not None and state.friends(ship.owner, owner):
        return f"{name} belongs to a friend"
    return "" if near else f"S{ship.number} is not next to {name}"


def _strike(game: Round, ship: Ship, given: Given[Attack]) -> None:
    state, number = game.state, given.order.number
    match given.order.target:
        case Target.SHIP:
            _close_in(game, ship, [state.ships[number].hex])
            battle.attack_ship(game, ship, state.ships[number])
        case Target.BASE:
            _close_in(game, ship, state.hexes_of(state.bases[number]))
            battle.attack_base(game, ship, state.bases[number])
        case Target.MOTHERSHIP:
            battle.attack_mothership(game, ship, Seat(number))
        case Target.HEX:
            place = state.hexes[number]
            _close_in(game, ship, [number])
            if place.kind is Kind.PIRATES:
                battle.meet_pirates(game, ship.owner, place)
                return
            if place.occupied and place.card is None:
                _turn_up(game, ship, place)
            if place.card is not None and place.card.strength:
                battle.attack_aliens(game, ship, place)
            else:
                given.fail(f"nobody at H{number} fights")


def _close_in(game: Round, ship: Ship, hexes: Sequence[int]) -> None:
    """Move an attacker onto what it attacks (rule 32); a wormhole needs a booster (rule 13)."""
    goal = game.state.hexes[hexes[0]]
    wormhole = goal.kind is Kind.WORMHOLE and not game.player(ship.owner).boosters
    if ship.hex not in hexes and not ship.mercenary and not wormhole:
        game.bring(ship, goal.number)


def _enter_ranges(game: Round, ship: Ship) -> None:
    """Fight pirates near the ship, and enemies into whose range it came (rule 12)."""
    state = game.state
    if ship.number not in state.ships or ship.mercenary:
        return
    pirates = [
        place
        for place in state.hexes.values()
        if place.kind is Kind.PIRATES and state.near(ship.hex, place.number)
    ]
    if pirates:
        for place in pirates:
            battle.meet_pirates(game, ship.owner, place)
    elif ship.number in game.arrived and not _has_fought(game, ship):
        _meet_enemies(game, ship)


def _has_fought(game: Round, ship: Ship) -> bool:
    """Say whether the ship attacked somebody by order; one battle is enough for an arrival."""
    return any(
        given.used and not given.failed and given.order.ship == ship.number
        for given in game.sheets.get(ship.owner, ())
        if isinstance(given.order, Attack)
    )


def _meet_enemies(game: Round, ship: Ship) -> None:
    """Attack the nearest hostile unit into whose range the ship came: bases first (G15)."""
    state = game.state
    here = state.hexes[ship.hex]
    bases = [
        base
        for base in state.bases.values()
        if state.at_war(ship.owner, base.owner) and (here.galaxy, here.at) in state.places_of(base)
    ]
    ships = [
        other
        for other in state.ships.values()
        if other.owner != ship.owner
        and state.at_war(ship.owner, other.owner)
        and state.near(other.hex, ship.hex)
    ]
    if bases:
        battle.attack_base(game, ship, min(bases, key=lambda base: base.number))
    elif ships:
        nearest = min(ships, key=lambda other: (other.hex != ship.hex, other.number))
        battle.attack_ship(game, ship, nearest)


def _land(game: Round, ship: Ship) -> None:
    """Mine, trade and hire where a ship has come to."""
    place = game.state.hexes[ship.hex]
    came = game.arrived.get(ship.number) == place.number
    if place.kind is Kind.PLANET:
        if place.occupied:
            _visit(game, ship, place)
        elif came or game.state.rules.mine_on_stay:
            _mine(game, ship, place)
    elif place.kind is Kind.TRADER:
        _barter(game, ship)
    elif place.kind is Kind.MERCENARIES:
        _hire(game, ship)


def _mine(game: Round, ship: Ship, place: Hex) -> None:
    """Mine a planet, once a turn however many of one's ships have come (rule 17)."""
    once = (ship.owner, place.number)
    if once in game.mined or place.quarantined_until > game.state.round:
        return
    game.mined.add(once)
    number = 1 + game.player(ship.owner).rings
    game.earn(ship.owner, of(place.resource, number))
    text = f"S{ship.number} of {game.name(ship.owner)} mines {number} {place.resource}"
    game.tell(ENCOUNTERS, f"{text} at H{place.number}.")


def _visit(game: Round, ship: Ship, place: Hex) -> None:
    """Turn up an encounter, or deal with the one that lies open (rule 19, G5)."""
    if place.card is None:
        _turn_up(game, ship, place)
    answer = game.about(ship.owner, Answer, ship.number)
    if answer is not None and not answer.order.yes:
        answer.succeed()
        return
    _deal(game, ship, place, answer)


def _turn_up(game: Round, ship: Ship, place: Hex) -> None:
    """Turn up who lives on a planet; a quarantine stands at once (G5)."""
    place.card = _drawn(game)
    text = f"S{ship.number} of {game.name(ship.owner)} meets at H{place.number}"
    game.tell(ENCOUNTERS, f"{text}: {place.card.value}.")
    if place.card is Card.QUARANTINE:
        place.quarantined_until = game.state.round + QUARANTINE
        place.occupied, place.card = False, None


def _drawn(game: Round) -> Card:
    if not game.state.deck:
        game.state.reshuffled += 1
        game.state.deck = encounters(game.game_dice, game.state.reshuffled)
    return game.state.deck.pop(0)


def _deal(game: Round, ship: Ship, place: Hex, answer: Given[Answer] | None) -> None:
    match place.card:
        case Card.FRIENDLY:
            place.occupied, place.card = False, None
            game.earn(ship.owner, of(place.resource))
            _mine(game, ship, place)
        case Card.RELIC:
            _take_relic(game, ship, place)
        case Card.TOLL:
            _pay_toll(game, ship, place, answer)
        case Card.BARTER:
            if _barter(game, ship):
                place.occupied, place.card = False, None
        case Card.MERCENARIES:
            _hire(game, ship)
        case _:
            return
    if answer is not None:
        answer.succeed()


def _take_relic(game: Round, ship: Ship, place: Hex) -> None:
    """Fit the enhancement of which one has least (G5)."""
    player, caps = game.player(ship.owner), game.state.rules.caps
    place.occupied, place.card = False, None
    fitting = [part for part in Enhancement if player.count(part) < caps[CAP_KEYS[part]]]
    if not fitting:
        return
    part = min(fitting, key=player.count)
    player.fit(part)
    text = f"{player.name} finds a relic: a {part.name.lower()}"
    game.tell(ENCOUNTERS, f"{text} at H{place.number}.")


def _pay_toll(game: Round, ship: Ship, place: Hex, answer: Given[Answer] | None) -> None:
    """Pay one card; the planet is free then, and is mined this turn already (G5)."""
    if answer is None:
        return
    hand = game.player(ship.owner).hand
    most = max(LETTERS, key=lambda letter: dict(hand.each()).get(letter, 0))
    payment = answer.order.payment or of(most)
    if payment.total != 1 or not game.pay(ship.owner, payment):
        answer.fail("the toll is one card that you have")
        return
    place.occupied, place.card = False, None
    _mine(game, ship, place)


def _barter(game: Round, ship: Ship) -> bool:
    """Swap cards with a trader, as many for as many (rule 20); say whether anything was."""
    done = False
    for given in list(game.given(ship.owner, Barter)):
        if given.order.ship != ship.number:
            continue
        order = given.order
        if order.give.total != order.take.total:
            given.fail("a trader gives as many cards as he takes")
        elif not game.pay(ship.owner, order.give):
            given.fail(f"you do not have {order.give}")
        else:
            game.earn(ship.owner, order.take)
            given.succeed()
            done = True
    return done


def _hire(game: Round, ship: Ship) -> None:
    """Hire mercenaries for three cards each (rule 21)."""
    for given in list(game.given(ship.owner, Hire)):
        order = given.order
        if order.ship != ship.number:
            continue
        if not order.number or order.payment.total != PRICE * order.number:
            given.fail(f"{order.number} mercenaries cost {PRICE * order.number} cards")
        elif not game.pay(ship.owner, order.payment):
            given.fail(f"you do not have {order.payment}")
        else:
            for _ in range(order.number):
                game.state.built_ships += 1
                number = game.state.built_ships
                hired = Ship(number, ship.owner, ship.hex, mercenary=True)
                game.state.ships[number] = hired
            given.succeed()
            game.tell(ENCOUNTERS, f"{game.name(ship.owner)} hires {order.number} mercenaries.")


def can_barter(state: State, ship: Ship) -> bool:
    """Say whether a ship is where cards can be swapped."""
    place = state.hexes[ship.hex]
    return place.kind is Kind.TRADER or place.card is Card.BARTER
