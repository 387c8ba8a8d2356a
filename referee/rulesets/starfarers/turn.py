"""The steps of a round in the three modes, stances, alliances and leaving."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Phase, Resolution, Seat, Weight
from referee.rules.turns import Step
from referee.rules.wording import counted
from referee.rulesets.starfarers import economy, encounter, news, travel, victory
from referee.rulesets.starfarers.goods import LETTERS, Goods, in_words, of
from referee.rulesets.starfarers.holdings import leave, settle
from referee.rulesets.starfarers.orders import Order, Resign, SetAlliance, SetStance
from referee.rulesets.starfarers.others import fail_replaced, objection_to_other
from referee.rulesets.starfarers.parts import ACCEPTED
from referee.rulesets.starfarers.state import Mode, Stage, State
from referee.rulesets.starfarers.turn_state import PLAYERS, TRADE, Round

TITLES: Final[Mapping[Stage, str]] = {
    Stage.TURN: "All four phases",
    Stage.TRAVEL: "Travel and encounter",
    Stage.BUILD: "Trade and build",
    Stage.OVER: "The game is over",
}
WRONG_PART: Final = "this order belongs to another part of the round"
"""The reason to reject an order that this part does not accept."""
LEAVING: Final = "you leave the game first, with Q"
"""The reason to reject all other orders of a player who leaves."""

MOVE: Final = (
    Step(travel.travel, "rule 9: travel comes first"),
    Step(encounter.meet, "rule 9: then encounters on the way"),
)
WORK: Final = (
    Step(economy.trade, "rule 9: with the cards that were mined and won"),
    Step(economy.build, "rule 9: new ships do not move this turn"),
)
STEPS: Final[Mapping[Stage, tuple[Step[[Round, Seat]], ...]]] = {
    Stage.TURN: (*MOVE, *WORK),
    Stage.TRAVEL: MOVE,
    Stage.BUILD: WORK,
    Stage.OVER: (),
}


def resolve(
    state: State,
    orders: Mapping[Seat, Sequence[Order]],
    defaulted: frozenset[Seat],
    dice: Dice,
) -> Resolution[State, Order]:
    """Play a batch: all phases of each player, one player after the other (rule 6, G25)."""
    game = Round(state, orders, dice, defaulted)
    _fail_misplaced(game)
    playing = sorted(_players_now(state))
    for seat in playing:
        _set_stances(game, seat)
    for seat in playing:
        _set_alliances(game, seat)
        travel.stand_back(game, seat)
    for seat in playing:
        _report_alliances(game, seat)
    settle(game)
    for seat in _players_now(game.state):
        _leave(game, seat)
        for step in STEPS[state.stage]:
            if seat in game.state.active():
                step.take(game, seat)
                settle(game)
    for seat in sorted(game.state.active()):
        _leave(game, seat)
    for seat in game.state.active():
        _discard_surplus(game, seat)
    _advance(game)
    economy.report_offers(game)
    news.tell(game)
    return game.resolution()


def _fail_misplaced(game: Round) -> None:
    """Fail all orders that belong to another part of the round or to a later turn."""
    playing = _players_now(game.state)
    for given in game.all_given():
        if not isinstance(given.order, ACCEPTED[game.state.stage]):
            given.fail(WRONG_PART)
        elif isinstance(given.order, Resign):
            continue
        elif given.seat not in playing:
            given.fail("it was not your turn")
        elif is_leaving(each.order for each in game.sheets[given.seat]):
            given.fail(LEAVING)


def is_leaving(orders: Iterable[Order]) -> bool:
    """Return whether the player of these orders leaves the game before anything else happens."""
    return any(isinstance(order, Resign) for order in orders)


def _players_now(state: State) -> list[Seat]:
    """Return the players whose turns are in this batch, in order."""
    if state.stage is Stage.OVER:
        return []
    return state.order_of_play() if state.turn_of is None else [state.turn_of]


def phase(state: State) -> Phase:
    """Return the part of the round, and the players who must send orders."""
    awaiting, out = frozenset(_players_now(state)), frozenset(state.players) - {*state.active()}
    title = "" if state.stage is Stage.TURN else TITLES[state.stage]
    return Phase(state.stage.value, title, awaiting, out=out, round=state.round)


def _set_stances(game: Round, seat: Seat) -> None:
    """Change stances for the next round and announce them (G14)."""
    for given in game.unused(seat, SetStance):
        if reason := objection_to_stance(game.state, seat, given.order):
            given.fail(reason)
    fail_replaced(game, seat, SetStance)
    for given in game.unused(seat, SetStance):
        other = Seat(given.order.player)
        given.succeed()
        _change_stance(game, seat, other, hostile=given.order.hostile)


def _change_stance(game: Round, seat: Seat, other: Seat, *, hostile: bool) -> None:
    player, word = game.player(seat), "hostile" if hostile else "peaceful"
    if (other in player.hostile) is not hostile:
        player.turning.add(other)
        what = f"will be {word} to {game.name(other)} from the next round"
    elif other in player.turning:
        player.turning.discard(other)
        what = f"stays {word} to {game.name(other)} after all"
    else:
        return
    game.tell(PLAYERS, f"{player.name} {what}.")


def objection_to_stance(state: State, seat: Seat, order: SetStance) -> str:
    """Return why a stance cannot be changed, or an empty string (G14)."""
    if reason := objection_to_other(state, seat, order.player):
        return reason
    other = Seat(order.player)
    if order.hostile and other in state.players[seat].allies:
        return f"{state.players[other].name} is your ally. End the alliance first: P{other}D"
    return ""


def _set_alliances(game: Round, seat: Seat) -> None:
    """Form alliances that both want, if one has lost the mothership (rule 39)."""
    for given in game.unused(seat, SetAlliance):
        if reason := objection_to_ally(game.state, seat, given.order):
            given.fail(reason)
    fail_replaced(game, seat, SetAlliance)
    for given in game.unused(seat, SetAlliance):
        other = Seat(given.order.player)
        given.succeed()
        if not given.order.yes:
            _end_alliance(game, seat, other)
            continue
        game.player(seat).seeks.add(other)
        if seat in game.player(other).seeks:
            _ally(game, seat, other)


def _report_alliances(game: Round, seat: Seat) -> None:
    """Report the alliances that a player offers to those who have not accepted them."""
    for given in game.sheets.get(seat, ()):
        if isinstance(given.order, SetAlliance) and given.order.yes and not given.failed:
            other = Seat(given.order.player)
            if other in game.player(seat).seeks - game.player(seat).allies:
                what = f"{game.name(seat)} offers you an alliance: P{seat}L accepts."
                game.inform(other, PLAYERS, what)


def objection_to_ally(state: State, seat: Seat, order: SetAlliance) -> str:
    """Return why an alliance cannot be offered, or an empty string (rule 39)."""
    if reason := objection_to_other(state, seat, order.player):
        return reason
    other = Seat(order.player)
    if order.yes and not any(state.players[each].captor is not None for each in (seat, other)):
        return "an alliance is possible only if one of you has lost the mothership"
    return ""


def _ally(game: Round, one: Seat, other: Seat) -> None:
    for seat, friend in ((one, other), (other, one)):
        player = game.player(seat)
        player.allies.add(friend)
        player.hostile.discard(friend)
        player.turning.discard(friend)
    game.tell(PLAYERS, f"{game.name(one)} and {game.name(other)} are allies.")


def _end_alliance(game: Round, one: Seat, other: Seat) -> None:
    if other in game.player(one).allies:
        game.tell(PLAYERS, f"{game.name(one)} and {game.name(other)} are no longer allies.")
    for seat, friend in ((one, other), (other, one)):
        game.player(seat).seeks.discard(friend)
        game.player(seat).allies.discard(friend)


def _leave(game: Round, seat: Seat) -> None:
    """Handle a player who leaves when their turn comes: remove their ships and bases (G25)."""
    for given in game.unused(seat, Resign):
        given.succeed()
        if not game.player(seat).out:
            leave(game, seat, "left", "leaves the game")
            settle(game)


def _discard_surplus(game: Round, seat: Seat) -> None:
    """Discard cards above the hand limit, the most plentiful first (G28)."""
    limit, player = game.state.rules.hand_limit, game.player(seat)
    full, player.hand = player.hand, within(limit, player.hand)
    if player.hand != full:
        gone = in_words(full - player.hand)
        text = f"You can keep {counted(limit, 'card')}. {gone} went back."
        game.inform(seat, TRADE, text, weight=Weight.NOTE)


def within(limit: int, hand: Goods) -> Goods:
    """Return a hand without the cards above the limit; 0 is no limit (G28)."""
    while limit and hand.total > limit:
        hand -= of(max(LETTERS, key=hand.of))
    return hand


def _advance(game: Round) -> None:
    """Start the next part, the next player's turn, or the next round."""
    state = game.state
    if state.stage is Stage.OVER:
        return
    if state.stage is Stage.TRAVEL:
        state.stage = Stage.BUILD
    elif state.turn_of is not None and (later := _later(state)):
        state.turn_of = later[0]
    else:
        _end_round(game)
    victory.conquest(game)
    victory.last_round(game)


def _later(state: State) -> list[Seat]:
    """Return the players who play in this round after the current one."""
    order = [seat for seat in state.order_of_play() if seat not in state.acted]
    return [seat for seat in order if seat != state.turn_of]


def _end_round(game: Round) -> None:
    state = game.state
    victory.count_peace(game)
    state.round += 1
    state.bids, state.acted, state.standing_back, state.escorts = [], [], set(), {}
    state.first += 1 if state.rules.rotate else 0
    for player in state.players.values():
        player.hostile ^= player.turning
        player.turning = set()
    for place in state.hexes.values():
        if place.quarantined_until <= state.round:
            place.quarantined_until = 0
    if state.stage is Stage.BUILD:
        state.stage = Stage.TRAVEL
    if state.rules.mode is Mode.SERIAL and state.stage is not Stage.OVER:
        state.turn_of = next(iter(state.order_of_play()), None)
