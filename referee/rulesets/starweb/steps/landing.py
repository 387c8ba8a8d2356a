"""Landings on worlds after the fleets have moved: robots, migrants and bombs."""

from collections import Counter, defaultdict

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rulesets.starweb.ships import take_ships
from referee.rulesets.starweb.state import MOST, Character, World
from referee.rulesets.starweb.steps.deaths import charge, martyr, slay
from referee.rulesets.starweb.turn_state import Migrants, Turn

PEOPLE_PER_ROBOT = 4
"""One robot kills four people, and four people one robot (s4E, settled case 16)."""

Claims = dict[Seat | None, int]
"""The strength of each claimant; None is neutral."""


def land_robots(turn: Turn) -> None:
    """Land the robots of this turn's attacks on the worlds below (s22)."""
    landing: defaultdict[int, Claims] = defaultdict(Counter)
    for number, ships in turn.attackers.items():
        fleet = turn.state.fleets[number]
        if ships:
            take_ships(turn.state, fleet, ships)
            landing[fleet.world][fleet.owner] += 2 * ships
    for number in sorted(landing):
        _invade(turn, turn.world(number), landing[number], "landing")


def settle_migrants(turn: Turn) -> None:
    """Settle migrants: people first, then converts, then robots (s9, settled case 25)."""
    robots: defaultdict[int, Claims] = defaultdict(Counter)
    arriving = sorted(
        turn.migrants, key=lambda each: (each.to, each.converts, turn.name(each.seat))
    )
    for place, each in enumerate(arriving):
        world = turn.world(each.to)
        sender = each.seat if each.robots else each.apostle
        if sender is not None:
            # Robots and converts report the world, even if they do not survive (s9, s22).
            turn.sights[sender].add(each.to)
        if world.black_hole:
            continue
        if each.robots:
            robots[each.to][each.seat] += each.robots
        else:
            _join(turn, world, each)
            if each.converts and not world.robots:
                dice = turn.dice.at("converts", "migrating", world.number, place)
                _join_converts(turn, world, each, dice)
    for number in sorted(robots):
        _invade(turn, turn.world(number), robots[number], "migrating")


def _join(turn: Turn, world: World, migrants: Migrants) -> None:
    """Add people to a world, or let robots there fight them (s4E)."""
    if world.robots and world.population:
        _repel(turn, world, migrants)
    else:
        world.robots = False
        world.population = min(MOST, world.population + migrants.people + migrants.converts)


def _repel(turn: Turn, world: World, migrants: Migrants) -> None:
    """Resolve the fight between the robots of a world and arriving people (s4E)."""
    people = migrants.people + migrants.converts
    killed = min(people, PEOPLE_PER_ROBOT * world.population)
    world.population -= _robots_lost(killed)
    converts = min(killed, migrants.converts)
    world.deaths = min(MOST, world.deaths + killed)
    world.convert_deaths = min(MOST, world.convert_deaths + converts)
    charge(turn, world, set() if world.owner is None else {world.owner}, killed)
    martyr(turn, world, migrants.apostle, converts)
    if not world.population:
        world.robots = False
        world.population = min(MOST, people - killed)


def _join_converts(turn: Turn, world: World, migrants: Migrants, dice: Dice) -> None:
    """Add converts. One Apostle gets all converts of a world, drawn by their numbers (s4F)."""
    apostle = migrants.apostle
    joined = min(migrants.converts, world.population - world.converts)
    if world.converts and world.apostle != apostle:
        claims: Claims = {world.apostle: world.converts, apostle: joined}
        world.apostle = draw_claimant(turn, dice, claims)
    else:
        world.apostle = apostle if joined else world.apostle
    world.converts += joined


def _invade(turn: Turn, world: World, robots: Claims, cause: str) -> None:
    """Land robots on a world: they join other robots and fight people (s22, s4E)."""
    dice = turn.dice.at("robots", cause, world.number)
    count = sum(robots.values())
    if world.robots and world.population:
        claims = Counter(robots)
        claims[world.owner] += world.population
        _populate(turn, world, world.population + count, draw_claimant(turn, dice, claims))
        return
    killers = {seat for seat in robots if seat is not None}
    killed = slay(turn, world, killers, PEOPLE_PER_ROBOT * count, cause)
    left = count - _robots_lost(killed)
    if left and not world.population:
        owner = draw_claimant(turn, dice, robots)
        if owner == world.owner and not world.robots:
            # Landing one's own robots restarts the count, like a capture (s23, settled case 31).
            world.turns = 1 if world.mines else 0
        _populate(turn, world, left, owner)


def _populate(turn: Turn, world: World, robots: int, owner: Seat | None) -> None:
    world.robots = True
    world.population = min(MOST, robots)
    turn.own_world(world, owner)


def _robots_lost(killed: int) -> int:
    return -(-killed // PEOPLE_PER_ROBOT)


def draw_claimant(turn: Turn, dice: Dice, claims: Claims) -> Seat | None:
    """Draw one claimant by the odds of what each has; the neutral ones count last."""
    order = turn.by_name(seat for seat in claims if seat is not None)
    drawn = dice.below(sum(claims.values()))
    for seat in (*order, *(claims.keys() - {*order})):
        drawn -= claims[seat]
        if drawn < 0:
            return seat
    raise AssertionError("a draw lies below the sum of the claims")


def drop_bombs(turn: Turn) -> None:
    """Drop the bombs of the fleets that live: nothing is left below but artifacts (s21)."""
    dropping: defaultdict[int, set[Seat]] = defaultdict(set)
    for number, given in sorted(turn.bombers.items()):
        fleet = turn.state.fleets[number]
        if fleet.ships:
            fleet.bomb = fleet.bomb_built
            dropping[fleet.world].add(given.seat)
        else:
            given.fail(f"F{number} was destroyed before it could drop its bomb")
    for place, seats in sorted(dropping.items()):
        world = turn.world(place)
        for seat in sorted(seats):
            _answer_for_bomb(turn, world, seat)
        bust(turn, world, seats)


def _answer_for_bomb(turn: Turn, world: World, seat: Seat) -> None:
    """Score a bomb: a Berserker gains once for each world, others lose points (s4E, s21)."""
    if turn.plays(seat, Character.BERSERKER):
        turn.score(seat, 0 if world.busted else 200)
    elif not turn.is_jihad_against(seat, world):
        turn.score(seat, -50)


def bust(turn: Turn, world: World, seats: set[Seat]) -> None:
    """Destroy everything on a world except artifacts; *seats* answer for the deaths (s21)."""
    if not world.robots:
        slay(turn, world, seats, world.population, "bomb")
    world.population = world.industry = world.mines = world.metal = world.limit = 0
    world.iships = world.pships = world.turns = 0
    world.robots = False
    world.busted = True
    turn.own_world(world, None)
