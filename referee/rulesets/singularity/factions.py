"""Factions and empires: how they form and how they dissolve (rules 2, 3)."""

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rules.wording import listed
from referee.rulesets.singularity.orders import Declare
from referee.rulesets.singularity.politics import is_out, objection_to_player
from referee.rulesets.singularity.state import Faction, State
from referee.rulesets.singularity.turn_state import POLITICS, Turn


def dissolve(turn: Turn) -> None:
    """Dissolve factions that lack an alliance or enough planets (rules 2, 3)."""
    for faction in list(turn.state.factions):
        if not lasts(turn.state, faction):
            turn.state.factions.remove(faction)
            turn.tell_all(POLITICS, f"The {called(turn, faction)} dissolves.")


def lasts(state: State, faction: Faction) -> bool:
    """Return whether a faction still has its alliances and enough planets."""
    return planets(state, faction.members) >= state.rules.to_win and not _lacks_alliance(
        state, faction
    )


def _lacks_alliance(state: State, faction: Faction) -> bool:
    """Return whether a faction lacks an alliance that it needs.

    The two members below the head of an empire need none while the head is strong enough.
    """
    first, *others = faction.members
    if not faction.empire:
        return not all(
            state.allied(one, other) for one in faction.members for other in faction.members
        )
    if not all(state.allied(first, other) for other in others):
        return True
    weak = planets(state, (first,)) < state.rules.dominant
    return weak and not state.allied(others[0], others[1])


def planets(state: State, seats: tuple[Seat, ...]) -> int:
    """Return the number of planets that players hold together."""
    return sum(len(state.planets_of(seat)) for seat in seats)


def declare(turn: Turn) -> None:
    """Form the factions declared for the beginning of this turn (rules 2, 3)."""
    for given in turn.given(Declare):
        faction = _faction(turn.state, given)
        if _is_already_declared(turn.state, faction):
            continue
        reason = objection_to_declare(turn.state, given)
        if reason:
            given.fail(reason)
            continue
        turn.state.factions.append(faction)
        turn.tell_all(POLITICS, f"The {called(turn, faction)} is declared.")


def _faction(state: State, given: SheetOrder[Declare]) -> Faction:
    members = (given.seat, *(Seat(member) for member in given.order.members))
    return Faction(members, given.order.empire, state.turn)


def _is_already_declared(state: State, faction: Faction) -> bool:
    """Return whether another member has already declared the same faction for this turn."""
    return not faction.empire and any(
        other.since == state.turn and not other.empire and {*other.members} == {*faction.members}
        for other in state.factions
    )


def objection_to_size(state: State, given: SheetOrder[Declare]) -> str:
    """Return why a faction of this size is never possible, or an empty string (rule 2)."""
    order, players = given.order, len(state.players)
    members = {given.seat, *order.members}
    wrong = [objection_to_player(state, given.seat, member) for member in order.members]
    if any(wrong):
        return next(filter(None, wrong))
    if len(members) != len(order.members) + 1:
        return "name each player only once"
    if not state.rules.factions:
        return "this war has no factions"
    gone = [seat for seat in order.members if is_out(state, Seat(seat))]
    if gone:
        return f"{state.players[Seat(gone[0])].name} is no longer in the war"
    allowed = {4: (2,), 5: (2,), 6: (2, 3)}.get(players, ())
    if not allowed:
        return f"a war of {players} players has no factions"
    if len(members) not in allowed:
        return f"a war of {players} players has no factions of {len(members)}"
    return ""


def objection_to_declare(state: State, given: SheetOrder[Declare]) -> str:
    """Return why a faction cannot be declared now, or an empty string (rules 2, 3, T17)."""
    reason = objection_to_size(state, given)
    if reason:
        return reason
    faction = _faction(state, given)
    taken = {seat for other in state.factions for seat in other.members}
    if taken & set(faction.members):
        return "one of you is already in a faction"
    if faction.empire and planets(state, faction.members[:1]) < state.rules.dominant:
        return f"you hold fewer than {state.rules.dominant} planets yourself"
    # Alliances come first: planets of players who are not allies can be secret.
    if _lacks_alliance(state, faction):
        return "not all the alliances it needs exist"
    if planets(state, faction.members) < state.rules.to_win:
        return f"together you hold fewer than {state.rules.to_win} planets"
    return ""


def called(turn: Turn, faction: Faction) -> str:
    """Return the name of a faction for the news."""
    names = listed(turn.name(seat) for seat in faction.members)
    return f"{'empire' if faction.empire else 'faction'} of {names}"
