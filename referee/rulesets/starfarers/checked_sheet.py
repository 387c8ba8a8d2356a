"""A sheet while its orders are checked: their expected effects, and what others can change."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers import landing, turn
from referee.rulesets.starfarers.economy import CAP_KEYS
from referee.rulesets.starfarers.goods import Goods, in_words, of
from referee.rulesets.starfarers.orders import Avoid, Barter, Enhancement, Offer, Order, Target
from referee.rulesets.starfarers.parts import ACCEPTED
from referee.rulesets.starfarers.sight import table_of
from referee.rulesets.starfarers.state import Bid, Ship, State
from referee.rulesets.starfarers.travel import is_dangerous


class Rejected(Exception):
    """An order that must fail. The text is the reason."""


class Sheet:
    """A sheet while it is checked in the order of the phases, with the expected state."""

    def __init__(self, state: State, seat: Seat, orders: Sequence[Order]) -> None:
        self.state = table_of(state.copy(), seat)
        self.seat = seat
        self.player = self.state.players[seat]
        self.orders = orders
        self.moved: dict[int, str] = {}
        """The kind of the first move ordered for each ship."""
        self.is_uncertain = False
        """Whether an earlier order has an unknown result that later orders depend on."""
        self.mined = Goods()
        """The cards that ships mine at planets that the player knows."""
        self.short = 0
        """The number of orders whose cards are not there yet."""
        self.fights = False
        """Whether a battle is expected before the player trades and builds."""
        self.arrived: set[int] = set()
        """The ships that come to the hex where they are expected."""
        self.attacked: set[int] = set()
        """The hexes on which ships attack by order."""
        self.held: list[Offer] = []
        """The offers whose cards are in the hand in the Trade phase."""
        self.landed: set[int] = set()
        """The hexes whose mining has been counted."""
        self.firsts: dict[tuple[str, int], Order] = {}
        """The first order of a kind for each ship, if only one of them counts."""
        self.built = ""
        """Whether a ship or base is ordered already: surely, maybe, or empty for no."""
        caps = state.rules.caps
        self.full = {
            part for part in Enhancement if self.player.count(part) >= caps[CAP_KEYS[part]]
        }
        """The enhancements of which the player has the most allowed already."""
        self.ringed: dict[int, bool] = {}
        """The colonies that build a ring, and whether nothing can change that."""
        self.playing = seat in turn.phase(state).awaiting
        """Whether the player has to send orders now."""
        self.meets = Barter in ACCEPTED[state.stage]
        """Whether ships meet and fight somebody in this part of the round."""
        self.whole = state
        """The state without fog, only for the public facts about players."""
        self._highest_hex = max(state.hexes)
        order = state.order_of_play() if state.turn_of is None else [seat]
        self._earlier = order[: order.index(seat)] if seat in order else order

    def is_settled(self, *galaxies: Seat) -> bool:
        """Return whether nothing in these galaxies can change before the player's turn.

        Another captor of a mothership can leave the game, which frees it.
        """
        captors = {self.state.players[galaxy].captor for galaxy in galaxies}
        return captors <= {None, self.seat} and not (
            self.is_uncertain
            or any(self._can_come(other, galaxy) for other in self._earlier for galaxy in galaxies)
        )

    def _can_come(self, other: Seat, galaxy: Seat) -> bool:
        ships = (self.state.hexes[ship.hex].galaxy for ship in self.state.fleet(other))
        return self.state.players[other].boosters > 0 or galaxy in ships

    def is_answer(self, offer: Offer) -> bool:
        """Return whether the other player trades first, so that an offer can only answer theirs."""
        bid = Bid(Seat(offer.player), self.seat, offer.take, offer.give)
        return bid.offerer in self._earlier or bid in self.whole.bids

    def own_galaxies(self) -> frozenset[Seat]:
        """Return the player's own galaxy and those where they have a ship or base."""
        state = self.state
        hexes = [ship.hex for ship in state.fleet(self.seat)]
        hexes += [base.hex for base in state.bases_of(self.seat)]
        return frozenset({self.seat, *(state.hexes[number].galaxy for number in hexes)})

    def ship(self, number: int) -> Ship:
        """Return a ship of the player. Raises Rejected if the player has no such ship."""
        ship = self.state.ships.get(number)
        if ship is None or ship.owner != self.seat:
            raise Rejected(f"you have no ship S{number}")
        return ship

    def warn(self, reason: str, *, settled: bool) -> str:
        """Return the reason as a warning. Raises Rejected if there is one and all is *settled*."""
        if reason and settled:
            raise Rejected(reason)
        return reason

    def spend(self, cost: Goods) -> str:
        """Pay for an order from the hand. Return a warning if there are not enough cards."""
        if self.player.hand.covers(cost):
            self.player.hand -= cost
            return ""
        self.short += 1
        return f"it costs {in_words(cost)}, and you do not have that yet"

    def swap(self, give: Goods, take: Goods) -> str:
        """Swap cards of the hand. Return a warning if there are not enough of them."""
        if self.player.hand.covers(give):
            self.player.hand += take - give
            return ""
        self.short += 1
        return f"you do not have {in_words(give)} yet"

    def repeats(self, kind: str, ship: int, order: Order) -> Order | None:
        """Return the earlier order of a kind for a ship, or None after keeping this one."""
        earlier = self.firsts.setdefault((kind, ship), order)
        return None if earlier is order else earlier

    def is_careful(self, ship: int) -> bool:
        """Return whether a ship has the order to avoid ranges."""
        return any(isinstance(order, Avoid) and order.ship == ship for order in self.orders)

    def land_before(self, number: int | None = None) -> None:
        """Count the cards that the ships with lower numbers mine, or all ships (rule 17)."""
        rules = self.state.rules
        if not self.meets:
            return
        for ship in sorted(self.state.fleet(self.seat), key=lambda ship: ship.number):
            if number is not None and ship.number >= number:
                return
            place = self.state.hexes[ship.hex]
            comes = ship.number in self.arrived or rules.mine_on_stay
            once = place.number not in self.landed
            # A battle comes before mining, and can end with the place in the hands of the enemy.
            safe = not is_dangerous(self.state, self.seat, (place.galaxy, place.at))
            mines = safe and not ship.mercenary and landing.can_mine(self.state, place)
            if comes and once and mines:
                self.landed.add(place.number)
                mined = of(place.resource, 1 + self.player.rings)
                self.mined += mined
                self.player.hand += mined

    def is_impossible(self, target: Target, number: int) -> bool:
        """Return whether nothing can have a number in this turn."""
        match target:
            case Target.HEX:
                return number not in self.state.hexes and self.knows(target, number)
            case Target.BASE:
                return number not in self.state.bases and self.knows(target, number)
            case Target.MOTHERSHIP:
                return Seat(number) not in self.state.players
        return False

    def knows(self, target: Target, number: int) -> bool:
        """Return whether a target exists, or cannot come into being this turn."""
        match target:
            case Target.HEX:
                ships = sum(not ship.mercenary for ship in self.state.ships.values())
                return self._knows(number, self.state.hexes, self._highest_hex + ships)
            case Target.BASE:
                highest = self.state.built_bases + len(self.state.players)
                return self._knows(number, self.state.bases, highest)
            case Target.SHIP:
                return number in self.state.ships
        return True

    def _knows(self, number: int, there: Mapping[int, Any], highest: int) -> bool:
        return number in there or (not self.state.rules.fog and number > highest)
