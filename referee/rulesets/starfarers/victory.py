"""Victory: in peace with colony systems everywhere, or by conquest (rules 1, 2)."""

from collections.abc import Sequence

from referee.rules.ruleset import Seat
from referee.rules.wording import counted
from referee.rulesets.starfarers.orders import BaseKind
from referee.rulesets.starfarers.state import Base, Kind, Stage, State, apart
from referee.rulesets.starfarers.turn_state import PLAYERS, Round


def count_peace(game: Round) -> None:
    """Count the rounds with a colony system in every galaxy, and end the game (rule 1, G11)."""
    state = game.state
    for seat, player in state.players.items():
        whole = all(has_system(state, seat, galaxy) for galaxy in state.players)
        player.peaceful = player.peaceful + 1 if whole else 0
        if player.peaceful == 1 and state.rules.peace_hold:
            rounds = counted(state.rules.peace_hold, "more round")
            what = f"holds a colony system in every galaxy and wins if they last {rounds}"
            game.tell(PLAYERS, f"{player.name} {what}.")
    winners = [s for s, p in state.players.items() if p.peaceful > state.rules.peace_hold]
    if winners:
        names = " and ".join(game.name(seat) for seat in winners)
        _over(state, winners, f"{names} held a colony system in every galaxy.")


def has_system(state: State, seat: Seat, galaxy: Seat) -> bool:
    """Return whether a player has a complete colony system in a galaxy (rule 2, G9, G10)."""
    bases = [b for b in state.bases_of(seat) if state.hexes[b.hex].galaxy == galaxy]
    groups = _clusters(state, bases) if state.rules.cluster else [bases]
    return any({base.kind for base in group} == set(BaseKind) for group in groups)


def _clusters(state: State, bases: Sequence[Base]) -> list[list[Base]]:
    """Group bases whose planet hexes are joined by other planet hexes."""
    groups: list[list[Base]] = []
    for base in bases:
        joined = _joined(state, base.hex)
        groups.append([other for other in bases if other.hex in joined])
    return groups


def _joined(state: State, number: int) -> set[int]:
    found, edge = {number}, [number]
    while edge:
        here = state.hexes[edge.pop()]
        for each in state.hexes.values():
            near = each.galaxy == here.galaxy and apart(each.at, here.at) == 1
            if near and each.kind is Kind.PLANET and each.number not in found:
                found.add(each.number)
                edge.append(each.number)
    return found


def conquest(game: Round) -> None:
    """End the game if at most one player is left (rule 1)."""
    state, left = game.state, game.state.active()
    if state.stage is Stage.OVER or len(left) > 1:
        return
    winners = left or list(state.players)
    names = " and ".join(game.name(seat) for seat in winners)
    _over(state, winners, f"{names} conquered the universe." if left else "Nobody is left.")


def last_round(game: Round) -> None:
    """End the game after the last round (G29).

    The most galaxies with a colony system win, and among equals the most bases.
    """
    state = game.state
    if state.stage is Stage.OVER or state.round <= state.rules.turn_limit:
        return
    counts = {seat: (systems(state, seat), len(state.bases_of(seat))) for seat in state.active()}
    winners = [seat for seat, count in counts.items() if count == max(counts.values())]
    each = ", ".join(f"{game.name(seat)} {count[0]} and {count[1]}"
                     for seat, count in counts.items())  # fmt: skip
    last = f"Round {state.rules.turn_limit} was the last"
    _over(state, winners, f"{last}. Galaxies with a colony system, and bases: {each}.")


def systems(state: State, seat: Seat) -> int:
    """Return the number of galaxies where a player has a colony system."""
    return sum(has_system(state, seat, galaxy) for galaxy in state.players)


def _over(state: State, winners: Sequence[Seat], ending: str) -> None:
    state.stage, state.turn_of = Stage.OVER, None
    state.winners, state.ending = tuple(winners), ending
