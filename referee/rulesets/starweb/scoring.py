"""The points of a turn, the final bonuses, and the winners."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from referee.rules.ruleset import Event, Seat, Verdict, Weight
from referee.rules.views import Table, View
from referee.rules.wording import listed
from referee.rulesets.starweb.state import Character, Fleet, Player, State, World
from referee.rulesets.starweb.steps.firing import SHOT
from referee.rulesets.starweb.treasures import MUSEUM_SIZE, end_bonus, treasure_points
from referee.rulesets.starweb.turn_state import Toll, Turn

T = TypeVar("T", World, Fleet)

PEOPLE_PER_POINT: Final = 10
PIRATE_KEY: Final = 3
ROBOT_WORLD: Final = 5
APOSTLE_WORLD: Final = 5
"""For each world, and again for each world where all people are converts (s4F)."""
MERCHANT_METAL: Final = 8
METAL_PER_INDUSTRY: Final = 2
KILL: Final = 2
MURDER: Final = -1


def score_turn(turn: Turn) -> None:
    """Score the turn for all players (s4, s14)."""
    _charge_for_shots(turn)
    for number in sorted(turn.tolls):
        _answer_for_deaths(turn, turn.world(number), turn.tolls[number])
    _pay_merchants(turn)
    worlds = _by_owner(turn.state.worlds.values())
    fleets = _by_owner(turn.state.fleets.values())
    for seat, player in turn.state.players.items():
        turn.score(seat, _points(turn.state, player, worlds[seat], fleets[seat]))


def _charge_for_shots(turn: Turn) -> None:
    """Take a point from Apostles for each shot at people who are not the victim's (s4F).

    A world that the victim has only at the end of the turn counts as the victim's.
    """
    for (seat, number), count in turn.shots_at_people.items():
        if not turn.is_jihad_against(seat, turn.world(number)):
            turn.score(seat, SHOT * count)


def _by_owner(things: Iterable[T]) -> defaultdict[Seat | None, list[T]]:
    owned: defaultdict[Seat | None, list[T]] = defaultdict(list)
    for thing in things:
        owned[thing.owner].append(thing)
    return owned


def _points(state: State, player: Player, worlds: list[World], fleets: list[Fleet]) -> int:
    """Return a player's points for possessions, by character, and for artifacts (s4, s14)."""
    treasures = sum(treasure_points(n, player.character) for n in _held(worlds, fleets))
    match player.character:
        case Character.EMPIRE_BUILDER:
            return treasures + _points_of_empire(worlds)
        case Character.PIRATE:
            return treasures + PIRATE_KEY * len(fleets)
        case Character.BERSERKER:
            return treasures + ROBOT_WORLD * sum(world.robots for world in worlds)
        case Character.APOSTLE:
            return treasures + _points_of_faith(state, player.seat, worlds)
        case _:
            return treasures


def _held(worlds: list[World], fleets: list[Fleet]) -> list[int]:
    places: list[World | Fleet] = [*worlds, *fleets]
    return [number for place in places for number in place.artifacts]


def _points_of_empire(worlds: list[World]) -> int:
    """Return a point for ten people without converts, each industry and each mine (s4A)."""
    people = sum(world.population - world.converts for world in worlds if not world.robots)
    return people // PEOPLE_PER_POINT + sum(world.industry + world.mines for world in worlds)


def _points_of_faith(state: State, seat: Seat, worlds: list[World]) -> int:
    """Return an Apostle's points for worlds and converts (s4F, settled case 19)."""
    converts = sum(world.converts for world in state.worlds.values() if world.apostle == seat)
    whole = sum(world.converts == world.population for world in worlds if world.apostle == seat)
    return APOSTLE_WORLD * (len(worlds) + whole) + -(-converts // PEOPLE_PER_POINT)


def _pay_merchants(turn: Turn) -> None:
    """Score metal that Merchants left on others' industry worlds (s4B, settled case 13)."""
    for (seat, number), count in turn.unloaded.items():
        world = turn.world(number)
        was = turn.was(world)
        if not turn.plays(seat, Character.MERCHANT) or was.owner is None:
            continue
        if seat not in (was.owner, world.owner):
            paid = max(0, min(count, METAL_PER_INDUSTRY * was.industry))
            turn.score(seat, MERCHANT_METAL * paid)


def _answer_for_deaths(turn: Turn, world: World, toll: Toll) -> None:
    """Score the dead for each killer, and martyrs for Apostles (s4E, s4F)."""
    for seat in sorted(toll.killers):
        if turn.plays(seat, Character.BERSERKER):
            turn.score(seat, KILL * toll.people)
        elif turn.is_jihad_against(seat, world):
            own = toll.martyrs.get(seat, 0)
            turn.score(seat, KILL * (toll.people - own) + MURDER * own)
        else:
            turn.score(seat, MURDER * toll.people)
    for apostle, martyrs in toll.martyrs.items():
        if toll.killers - {apostle} and turn.player(apostle).jihad is None:
            turn.score(apostle, martyrs)


def end_game(turn: Turn) -> None:
    """End the game and add bonuses if a player has the score (s30, settled case 27)."""
    state = turn.state
    votes = [player.ending for player in state.players.values() if player.ending is not None]
    total, voters = (sum(votes), len(votes)) if votes else (state.ending, 1)
    if state.finished or not any(
        player.score * voters >= total for player in state.players.values()
    ):
        return
    worlds = _by_owner(state.worlds.values())
    fleets = _by_owner(state.fleets.values())
    for seat, player in state.players.items():
        museums = sum(len(world.artifacts) >= MUSEUM_SIZE for world in worlds[seat])
        held = _held(worlds[seat], fleets[seat])
        turn.score(seat, end_bonus(held, museums, player.character))
    state.finished = True
    names = [state.players[seat].name for seat in sorted(winners(state))]
    verb = "winner is" if len(names) == 1 else "winners are"
    text = f"The game is over. The {verb} {listed(names)}."
    turn.events.append(Event(text, None, Weight.END, told=text))


def winners(state: State) -> frozenset[Seat]:
    """Return the players with the highest score (s30)."""
    best = max((player.score for player in state.players.values()), default=0)
    return frozenset(seat for seat, each in state.players.items() if each.score == best)


def verdict(state: State) -> Verdict | None:
    """Return the winners and all scores of a finished game, best first, or None (s30)."""
    if not state.finished:
        return None
    return Verdict(winners(state), standing(state))


def scores(state: State) -> Mapping[Seat, int]:
    """Return the score of every player."""
    return {seat: player.score for seat, player in state.players.items()}


def standing(state: State) -> View:
    """Return the players with their characters and scores, best first, however the game ended."""
    ranked = sorted(state.players.values(), key=lambda each: (-each.score, each.name))
    rows = tuple((each.name, each.character.value, str(each.score)) for each in ranked)
    return (Table(("Player", "Character", "Score"), rows),)
