"""The places where a ship has landed: planets, traders, mercenaries (rules 17 to 22)."""

from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rulesets.starfarers.decks import encounters
from referee.rulesets.starfarers.economy import CAP_KEYS
from referee.rulesets.starfarers.goods import LETTERS, in_words, of
from referee.rulesets.starfarers.numbering import new_ship
from referee.rulesets.starfarers.orders import Barter, EncounterAnswer, Enhancement, Hire
from referee.rulesets.starfarers.state import Card, Hex, Kind, Ship, State
from referee.rulesets.starfarers.turn_state import ENCOUNTERS, Meeting, Round

PRICE: Final = 3
"""The price of a mercenary, in cards of any kind (rule 21)."""
QUARANTINE: Final = 3
"""The number of rounds of a quarantine (G5)."""
UNEQUAL: Final = "you must give a trader as many cards as you take"
"""The reason to reject a swap of unequal numbers."""
PEOPLE: Final = {
    Card.ALIENS_2: "are hostile aliens of strength 2",
    Card.ALIENS_4: "are hostile aliens of strength 4",
    Card.ALIENS_6: "are hostile aliens of strength 6",
    Card.TOLL: "are people who want a toll of one card",
    Card.BARTER: "are people who swap cards once",
    Card.MERCENARIES: "are mercenaries",
    Card.FRIENDLY: "are friendly people",
    Card.QUARANTINE: "is a disease",
    Card.RELIC: "are ruins with a relic",
}
"""The people of a planet."""
_ATTACK: Final = "To land, attack them: {}AH{}."
ADVICE: Final = {
    **dict.fromkeys((Card.ALIENS_2, Card.ALIENS_4, Card.ALIENS_6), _ATTACK),
    Card.TOLL: "To pay it with food: {}K1F.",
    Card.BARTER: "For instance food for ore: {}T1F>1O.",
    Card.MERCENARIES: "Each costs three cards of any kind: {}I1:3F.",
}
"""Advice on the people of a planet, with an order for a ship and a hex."""


def land(game: Round, ship: Ship) -> None:
    """Mine, trade and hire where a ship is. Without arriving it mines nothing (rule 17, G13)."""
    place = game.state.hexes[ship.hex]
    came = game.arrived.get(ship.number) == place.number
    stays = game.state.rules.mine_on_stay and ship.owner not in game.defaulted
    if place.kind is Kind.TRADER:
        _barter(game, ship)
    elif place.kind is Kind.MERCENARIES:
        _hire(game, ship)
    elif place.occupied:
        _visit(game, ship, place)
    if can_mine(game.state, place) and (came or stays):
        _mine(game, ship, place)


def _mine(game: Round, ship: Ship, place: Hex) -> None:
    """Mine a planet, once a turn for each player (rule 17)."""
    once = (ship.owner, place.number)
    if once in game.mined or place.quarantined_until > game.state.round:
        return
    game.mined.add(once)
    mined = of(place.resource, 1 + game.player(ship.owner).rings)
    game.earn(ship.owner, mined)
    text = f"S{ship.number} of {game.name(ship.owner)} mines {in_words(mined)}"
    game.tell(ENCOUNTERS, f"{text} at H{place.number}.", place.number)


def _visit(game: Round, ship: Ship, place: Hex) -> None:
    """Draw an encounter, or handle the one that lies open (rule 19, G5)."""
    meet_people(game, ship, place)
    answer = game.about(ship.owner, EncounterAnswer, ship.number)
    if answer is not None and not answer.order.yes:
        answer.succeed()
    elif place.card is not None:
        _deal(game, ship, place, answer)


def meet_people(game: Round, ship: Ship, place: Hex) -> None:
    """Reveal the people of a planet to a player, and draw a card if nobody has met them.

    Other players know only that the planet is occupied. A quarantine begins at once.
    """
    if not place.occupied or ship.owner in place.met:
        return
    place.card = place.card or _drawn(game)
    place.met.add(ship.owner)
    what = f"S{ship.number} of {game.name(ship.owner)} meets somebody at H{place.number}."
    game.tell(ENCOUNTERS, what, place.number)
    game.whisper(ship.owner, ENCOUNTERS, f"At H{place.number} there {PEOPLE[place.card]}.")
    game.people.append(Meeting(ship.owner, ship.number, place.number, place.card))
    if place.card is Card.QUARANTINE:
        place.quarantined_until = game.state.round + QUARANTINE
        place.settle()
        until = f"nobody mines or builds there before round {place.quarantined_until}"
        game.tell(ENCOUNTERS, f"H{place.number} is under quarantine: {until}.", place.number)


def _drawn(game: Round) -> Card:
    state = game.state
    if not state.deck:
        state.reshuffled += 1
        open_cards = [place.card for place in state.hexes.values() if place.card is not None]
        state.deck = encounters(
            state.rules.encounters, open_cards, state.reshuffled, game.game_dice
        )
    return state.deck.pop(0)


def _deal(game: Round, ship: Ship, place: Hex, answer: SheetOrder[EncounterAnswer] | None) -> None:
    """Handle the wish of the people of a planet, if the ship has an order for it (G5)."""
    match place.card:
        case Card.FRIENDLY:
            place.settle()
            game.earn(ship.owner, of(place.resource))
            _mine(game, ship, place)
        case Card.RELIC:
            _take_relic(game, ship, place)
        case Card.TOLL:
            _pay_toll(game, ship, place, answer)
        case Card.BARTER:
            if _barter(game, ship):
                place.settle()
        case Card.MERCENARIES:
            _hire(game, ship)
        case _:
            return
    if answer is not None:
        answer.succeed()
    if not place.occupied:
        game.tell(ENCOUNTERS, f"The planet H{place.number} is free.", place.number)


def _take_relic(game: Round, ship: Ship, place: Hex) -> None:
    """Add the enhancement of which the player has the fewest (G5)."""
    player, caps = game.player(ship.owner), game.state.rules.caps
    place.settle()
    fitting = [part for part in Enhancement if player.count(part) < caps[CAP_KEYS[part]]]
    if not fitting:
        return
    part = min(fitting, key=player.count)
    player.fit(part)
    deed = f"found a relic at H{place.number} ({part.called})"
    game.won.append((ship.owner, deed, place.number))
    text = f"{player.name} finds a relic at H{place.number}: {part.called}."
    game.tell(ENCOUNTERS, text, place.number)


def _pay_toll(
    game: Round, ship: Ship, place: Hex, answer: SheetOrder[EncounterAnswer] | None
) -> None:
    """Pay one card. The planet becomes free and is mined in the same turn (G5)."""
    if answer is None:
        return
    hand = game.player(ship.owner).hand
    payment = answer.order.payment or of(max(LETTERS, key=hand.of))
    if payment.total != 1 or not game.pay(ship.owner, payment):
        answer.fail("the toll is one card, and you must have it")
        return
    place.settle()
    _mine(game, ship, place)


def _barter(game: Round, ship: Ship) -> bool:
    """Swap equal numbers of cards with a trader (rule 20). Return whether anything was swapped."""
    done = False
    for given in game.unused(ship.owner, Barter):
        order = given.order
        if order.ship != ship.number:
            continue
        if order.give.total != order.take.total:
            given.fail(UNEQUAL)
        elif not game.swaps(ship.owner, order.give, order.take):
            given.fail(f"you do not have {in_words(order.give)}")
        else:
            given.succeed()
            done = True
            who = f"S{ship.number} of {game.name(ship.owner)}"
            what = f"{who} swaps {in_words(order.give)} for {in_words(order.take)} at H{ship.hex}."
            game.tell(ENCOUNTERS, what, ship.hex)
    return done


def _hire(game: Round, ship: Ship) -> None:
    """Hire mercenaries for three cards each (rule 21)."""
    for given in game.unused(ship.owner, Hire):
        order = given.order
        if order.ship != ship.number:
            continue
        if reason := objection_to_price(order):
            given.fail(reason)
        elif not game.pay(ship.owner, order.payment):
            given.fail(f"you do not have {in_words(order.payment)}")
        else:
            given.succeed()
            _enlist(game, ship, order.number)


def objection_to_price(order: Hire) -> str:
    """Return why the payment for mercenaries is wrong, or an empty string (rule 21)."""
    if not order.number:
        return "you must hire at least 1 mercenary"
    price = PRICE * order.number
    if order.payment.total == price:
        return ""
    count = "a mercenary costs" if order.number == 1 else f"{order.number} mercenaries cost"
    return f"{count} {price} cards, but you pay {order.payment.total}"


def _enlist(game: Round, ship: Ship, number: int) -> None:
    state = game.state
    for _ in range(number):
        hired = Ship(new_ship(game, ship.owner), ship.owner, ship.hex, mercenary=True)
        state.ships[hired.number] = hired
    who = "a mercenary" if number == 1 else f"{number} mercenaries"
    game.tell(ENCOUNTERS, f"{game.name(ship.owner)} hires {who} at H{ship.hex}.", ship.hex)


def can_barter(state: State, ship: Ship) -> bool:
    """Return whether the owner of a ship knows that it can swap cards here."""
    place = state.hexes[ship.hex]
    return place.kind is Kind.TRADER or known_people(place, ship.owner) is Card.BARTER


def can_hire(state: State, ship: Ship) -> bool:
    """Return whether the owner of a ship knows that it can hire mercenaries here."""
    place = state.hexes[ship.hex]
    return place.kind is Kind.MERCENARIES or known_people(place, ship.owner) is Card.MERCENARIES


def known_people(place: Hex, seat: Seat) -> Card | None:
    """Return the people of a planet, or None if a player has not met any there."""
    return place.card if seat in place.met else None


def can_mine(state: State, place: Hex) -> bool:
    """Return whether ships that come to a hex mine it (rule 17)."""
    open_now = place.quarantined_until <= state.round
    return place.kind is Kind.PLANET and not place.occupied and open_now
