"""The beginning of a game of Starfarers, and its options."""

from collections import Counter

import pytest

from referee.resources import folder
from referee.rules.dice import Dice
from referee.rules.ruleset import Option, Seat, SignUp, UserError
from referee.rulesets.starfarers import RULESET
from referee.rulesets.starfarers.goods import Goods
from referee.rulesets.starfarers.state import Card, Kind, State, Tile
from tests.rulesets.starfarers.played import NAMES, SEATS


def new_game(**options: int | str | bool) -> State:
    signups = [SignUp(seat, name) for seat, name in zip(SEATS, NAMES, strict=True)]
    return RULESET.setup(signups, {key.replace("__", "."): options[key] for key in options}, DICE)


DICE = Dice(b"a new game")


def test_all_players_have_a_mothership_and_a_starship_on_it() -> None:
    """Rule 4."""
    state = new_game()
    for seat in SEATS:
        assert state.mothership(seat).kind is Kind.MOTHERSHIP
        assert [ship.hex for ship in state.fleet(seat)] == [state.mothership(seat).number]
        player = state.players[seat]
        assert (player.boosters, player.cannons, player.rings) == (0, 0, 0)


def test_all_players_have_one_card_of_each_resource() -> None:
    """Rule 5."""
    assert [player.hand for player in new_game().players.values()] == [Goods(1, 1, 1, 1, 1)] * 3


@pytest.mark.parametrize("number", [1, 3, 6])
def test_a_soft_start_has_a_free_planet_and_nothing_dangerous(number: int) -> None:
    for bag in new_game(deck__soft_start=number).bags.values():
        first = bag[:number]
        assert any(tile.kind is Kind.PLANET and not tile.occupied for tile in first)
        assert not {Kind.PIRATES, Kind.WORMHOLE} & {tile.kind for tile in first}


def test_all_galaxies_have_the_same_fifty_tiles() -> None:
    """G4: four planets of food, carbon and ore, three of goods and fuel, and so on."""
    first, *others = (Counter(bag) for bag in new_game().bags.values())
    assert others == [first] * len(others)
    assert Counter(tile.kind for tile in first.elements()) == {
        Kind.PLANET: 24,
        Kind.EMPTY: 12,
        Kind.PIRATES: 6,
        Kind.TRADER: 3,
        Kind.MERCENARIES: 2,
        Kind.TELEPORTER: 1,
        Kind.WORMHOLE: 2,
    }
    free = Counter(t.resource for t in first.elements() if t.kind is Kind.PLANET and not t.occupied)
    assert free == {"F": 4, "C": 4, "O": 4, "G": 3, "U": 3}
    occupied = [tile.resource for tile in first.elements() if tile.occupied]
    assert (len(occupied), set(occupied)) == (6, set("FCGOU"))
    assert first[Tile(Kind.PIRATES, cannons=1)] == first[Tile(Kind.PIRATES, cannons=2)] == 2


def test_the_deck_has_sixteen_encounters() -> None:
    """G5."""
    assert Counter(new_game().deck) == {
        **dict.fromkeys((Card.ALIENS_2, Card.ALIENS_4, Card.TOLL), 3),
        **dict.fromkeys((Card.ALIENS_6, Card.MERCENARIES, Card.FRIENDLY), 1),
        **dict.fromkeys((Card.QUARANTINE, Card.RELIC), 1),
        Card.BARTER: 2,
    }


def test_the_same_seed_begins_the_same_game() -> None:
    signups = [SignUp(seat, name) for seat, name in zip(SEATS, NAMES, strict=True)]
    again = [RULESET.setup(signups, {}, Dice(b"seed")) for _ in range(2)]
    assert again[0] == again[1] != RULESET.setup(signups, {}, Dice(b"another"))


@pytest.mark.parametrize("number", [1, 7])
def test_two_to_six_play(number: int) -> None:
    """G26."""
    signups = [SignUp(Seat(seat), f"P{seat}") for seat in range(1, number + 1)]
    with pytest.raises(UserError, match="2 to 6 players"):
        RULESET.setup(signups, {}, DICE)


def test_the_gm_fills_the_bags() -> None:
    """G4."""
    names = ["food", "carbon", "goods", "ore", "fuel", "occupied", "empty", "traders"]
    names += ["mercenaries", "teleporters", "wormholes"]
    options: dict[str, int | str] = {f"deck__{name}": at for at, name in enumerate(names, 1)}
    bag = new_game(**options, deck__pirates="5,9").bags[Seat(2)]
    assert len(bag) == sum(range(1, 12)) + 2
    assert sorted(tile.cannons for tile in bag if tile.kind is Kind.PIRATES) == [5, 9]
    assert sum(tile.kind is Kind.WORMHOLE for tile in bag) == 11
    assert sum(tile == Tile(Kind.PLANET, "G") for tile in bag) == 3


def test_the_gm_takes_pirates_out_of_the_bags() -> None:
    """G4."""
    bags = new_game(deck__pirates="none").bags.values()
    assert {tile.kind for bag in bags for tile in bag} == set(Kind) - {
        Kind.PIRATES,
        Kind.MOTHERSHIP,
    }


def test_the_gm_stacks_the_deck() -> None:
    """G5."""
    assert Counter(new_game(encounters="Toll: 4, mercenary colony:1").deck) == {
        Card.TOLL: 4,
        Card.MERCENARIES: 1,
    }


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("encounters", "dragon: 2"),
        ("encounters", "toll"),
        ("encounters", "toll: 0"),
        ("deck__pirates", "one"),
        ("deck__pirates", "1,,2"),
        ("thrust__bag", "3"),
        ("thrust__bag", ""),
        ("hand_limit", "few"),
        ("hand_limit", "0"),
        ("cost__colony", "2X"),
    ],
)
def test_invalid_options_are_rejected(option: str, value: str) -> None:
    with pytest.raises(UserError):
        new_game(**{option: value})


def test_a_soft_start_needs_planets_and_safe_tiles() -> None:
    """G4."""
    no_planets = {f"deck__{name}": 0 for name in ("food", "carbon", "goods", "ore", "fuel")}
    with pytest.raises(UserError, match="soft_start"):
        new_game(**no_planets)
    assert new_game(**no_planets, deck__soft_start=0).bags


def test_players_get_a_free_colour_they_asked_for() -> None:
    wishes = (("yellow",), ("yellow", "blue"), ("yellow", "blue"))
    signups = [
        SignUp(seat, name, {"colour": wish})
        for seat, name, wish in zip(SEATS, NAMES, wishes, strict=True)
    ]
    colours = [player.colour for player in RULESET.setup(signups, {}, DICE).players.values()]
    assert colours[:2] == ["yellow", "blue"]
    assert colours[2] in {"red", "green", "white", "violet"}


@pytest.mark.parametrize("option", RULESET.info.options, ids=lambda option: option.name)
def test_every_option_is_in_the_rulebook_and_changes_the_game(option: Option) -> None:
    book = (folder("docs") / "rulesets" / "starfarers.md").read_text(encoding="utf-8")
    assert option.name in book
    other = OTHERS.get(option.name, int(option.default) + 1 if option.kind is int else None)
    other = not option.default if option.kind is bool else other
    if other is None:
        other = next(choice for choice in option.choices if choice != option.default)
    assert new_game(**{option.name.replace(".", "__"): other}) != new_game()


OTHERS = {
    **{f"cost.{name}": "1F" for name in ("trade_port", "colony", "ring", "starship", "booster")},
    "cost.cannon": "1F",
    "cost.freight_ring": "1F",
    "thrust.bag": "1,1",
    "hand_limit": "7",
    "deck.pirates": "none",
    "encounters": "toll: 1",
}


def test_with_a_hostile_start_all_players_are_hostile_to_each_other() -> None:
    state = new_game(start_stance="hostile")
    assert [player.hostile for player in state.players.values()] == [
        set(SEATS) - {seat} for seat in SEATS
    ]


def test_each_round_begins_with_another_player_unless_the_order_is_fixed() -> None:
    for order, step in (("rotate", 1), ("fixed", 0)):
        state = new_game(seat_order=order)
        first = state.order_of_play()
        after = RULESET.resolve(state, dict.fromkeys(SEATS, ()), frozenset(), DICE).state
        assert after.order_of_play() == first[step:] + first[:step]


def test_in_serial_mode_all_have_a_turn_in_a_round() -> None:
    state = new_game(mode="serial")
    first, turns = state.order_of_play(), []
    while state.round == 1:
        turns += sorted(RULESET.phase(state).awaiting)
        state = RULESET.resolve(state, {turns[-1]: ()}, frozenset(), DICE).state
    assert turns == first
    assert state.turn_of == first[1]
