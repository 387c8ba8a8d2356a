"""Rulings on sheets of StarWeb before the deadline: accepted, warned, rejected."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.parsing.reader import read_orders
from referee.rules.dice import Dice
from referee.rules.ruleset import Ruling, RulingKind, Seat
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.charting import chart as draw_map
from referee.rulesets.starweb.foresight import unused
from referee.rulesets.starweb.language import GRAMMAR, explain
from referee.rulesets.starweb.rulings import validate
from referee.rulesets.starweb.state import Character, Player, State, chart
from referee.rulesets.starweb.text.patch import place_everything
from referee.rulesets.starweb.text.records import read_records
from referee.rulesets.starweb.turn import resolve
from tests.rulesets.starweb.test_turn_properties import SEATS, SHEETS, galaxies
from tests.support.examples import examples

CERES, MARS, HATYSA, TEJAT = Seat(1), Seat(2), Seat(3), Seat(4)

GALAXY = """
W3 (13,176,223) [CERES] (Industry=12,Metal=20,Mines=2,Population=50,Limit=100,
      I-Ships=8,P-Ships=1) V41
   F3[CERES]=12 (Cargo=4) V70
   F17[CERES]=0
   F21[CERES]=30
   F9[MARS]=5
   F2[]=0
W13 (3,20) [HATYSA] (Industry=5,Metal=9,Mines=3,Population=20)
   F8[CERES]=2
   F10[HATYSA]=2
W20 (13) [CERES] (Population=8,Limit=9,Plunder=1/2)
W99 (100) [TEJAT] (Population=30,I-Ships=3)
   F85[TEJAT]=7 V11
W100 (99,101) [] (Population=3)
W101 (100) [] (Population=3)
W176 (3) (B*L*A*C*K H*O*L*E)
W223 (3,99) [] (Population=3)
"""


def galaxy() -> State:
    players = {
        CERES: Player(CERES, "CERES", Character.EMPIRE_BUILDER, 3, met=[MARS, HATYSA]),
        MARS: Player(MARS, "MARS", Character.MERCHANT, 13),
        HATYSA: Player(HATYSA, "HATYSA", Character.COLLECTOR, 20),
        TEJAT: Player(TEJAT, "TEJAT", Character.PIRATE, 99),
    }
    state = place_everything(players, read_records(GALAXY))
    state.turn = 2
    state.players[CERES].worlds = {3, 13, 20}
    chart(state.players[CERES], [state.worlds[number] for number in (3, 13, 20, 176)], 2)
    state.players[CERES].allies = {HATYSA}
    for world in state.worlds.values():
        world.usable = min(world.industry, world.metal, world.population)
    return state


def rulings(text: str, state: State | None = None) -> list[Ruling]:
    return list(validate(state or galaxy(), CERES, read_orders(GRAMMAR, text)))


ACCEPTED = Ruling(RulingKind.ACCEPTED)


def test_one_remaining_ship_is_singular() -> None:
    full, reduced = rulings("F3T11F17 F3T20F21")
    assert [full, reduced] == [ACCEPTED, warned("F3 has only 1 ship to transfer.")]


def rejected(reason: str) -> Ruling:
    return Ruling(RulingKind.REJECTED, reason)


def warned(reason: str) -> Ruling:
    return Ruling(RulingKind.WARNED, reason)


@pytest.mark.parametrize(
    "text",
    [
        "F3T4F17", "F3T1P", "F3T12I", "I3T4F3", "P3T1I", "I3T2P", "W3S2", "W3B10F3", "W3B10I",
        "W3I3I", "W3I3L", "P3M5W13", "F3W13", "F3W13W20", "F3W223", "F3P223", "I3P176", "F3L",
        "F3L5", "F3U", "F3U4", "F3J", "F3N2", "V41F3", "V70W", "F3AF9", "F3CF9",
        "I3AF9", "P3CF9", "Z", "Z3", "A=MARS", "N=HATYSA", "L=MARS", "X=MARS", "F3G=MARS",
        "W20G=HATYSA", "F3Q", "F3X", "F21B", "SIGN\nhello\nEND",
    ],
)  # fmt: skip
def test_a_possible_order_is_accepted(text: str) -> None:
    assert rulings(text) == [ACCEPTED]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("F85W3", "You have no fleet 85."),
        ("F200W3", "You have no fleet 200."),
        ("F9W13", "Fleet 9 belongs to MARS, not to you."),
        ("F2W13", "Fleet 2 is neutral, not yours."),
        ("W99X", "You have no world 99."),
        ("W250X", "You have no world 250."),
        ("W13X", "World 13 belongs to HATYSA, not to you."),
        ("F3W99", "W99 is not next to W3. Gates from W3: W13, W176, W223."),
        ("F3W13W223", "W223 is not next to W13. Gates from W13: W3, W20."),
        ("F3W223W20", "No gate leads from W223 to W20."),
        ("F3P99", "W99 is not next to W3. Gates from W3: W13, W176, W223."),
        ("P3M4W20", "W20 is not next to W3. Gates from W3: W13, W176, W223."),
        ("F3W223W256", "There is no W256: the highest number of a world is 255."),
        ("Z256", "There is no W256: the highest number of a world is 255."),
        ("F3P13", "You see W13 without a probe."),
        ("F3T4F85", "F85 is not at W3."),
        ("F3T4F200", "F200 is not at W3."),
        ("F3T4F8", "F8 is not at W3."),
        ("F3T4F3", "A fleet cannot give ships to itself."),
        ("F3AF3", "A fleet cannot fire at itself."),
        ("F3AF85", "F85 is not at W3."),
        ("I3AF8", "F8 is not at W3."),
        ("W3B4F8", "F8 is not at W3."),
        ("I20AC", "W20 has no I-Ships to fire with."),
        ("W3B4R", "No robots live on W3."),
        ("V11F3", "You have no artifact 11."),
        ("V99W", "You have no artifact 99."),
        ("V70F8", "F8 is not at W3."),
        ("V70F17", "Drop V70 on a world first."),
        ("F7R2", "Only a Berserker can do this, and you are an Empire Builder."),
        ("J=MARS", "Only an Apostle can do this, and you are an Empire Builder."),
        ("A=TEJAT", "You have not met TEJAT. You have met: MARS, HATYSA."),
        ("A=NOBODY", "You have not met NOBODY. You have met: MARS, HATYSA."),
        ("A=MARRS", "You have not met MARRS. Did you mean MARS?"),
        ("A=CERES", "CERES is your own name."),
        ("F3G=TEJAT", "You have not met TEJAT. You have met: MARS, HATYSA."),
        ("F17W13", "F17 has no ships."),
        ("F17T2F3", "F17 has no ships."),
        ("F17T2I", "F17 has no ships."),
        ("F17L", "F17 cannot carry more metal."),
        ("F8U", "F8 carries no metal."),
        ("F3B", "A bomb needs more than 25 ships on F3."),
        ("F3D", "F3 carries no planet buster bomb."),
        ("W20X", "W20 recovers from plunder for 2 more turns."),
        ("W20B1I", "W20 does not have enough industry left."),
        ("ENDING 8000", "You can vote for the ending score only on turn 1."),
    ],
)
def test_an_impossible_order_is_rejected(text: str, reason: str) -> None:
    assert rulings(text) == [rejected(reason)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("F3T20F17", "F3 has only 12 ships to transfer."),
        ("W3B20I", "Only 12 of 20 are possible."),
        ("W3S3", "The I-Ships are enough for only 2 industry."),
        ("F3U9", "F3 has only 4 metal."),
        ("F3T4F2", "F2 is neutral and stays neutral. You lose these ships."),
        ("W3B1F9", "F9 belongs to MARS. The ships are a gift to MARS."),
        ("F8L", "You can load at W13 only if HATYSA has made you a loader."),
        ("I3AC", "W3 has no converts. You fire only if ships make some this turn."),
        ("V41F9", "You can hook it to F9 only if MARS is an Artifact Collector."),
        ("F3AF17", "F17 is your own fleet."),
        ("F8AF10", "F10 belongs to HATYSA, your ally."),
        ("F3W176", "W176 is a black hole. All ships that enter it are lost."),
        ("F3W223W101",
         "You have not seen the gates of W223. If none leads to W101, F3 does not move."),
        ("F3AI", "W3 is your own world."),
        ("F3CP", "W3 is your own world. You lose a point for each of its people killed."),
        ("F3AH", "W3 is your own world. It becomes neutral if two shots are left over."),
        ("F8AP", "W13 belongs to HATYSA, your ally."),
        (
            "W3X",
            (
                "You are no Pirate. Plundering costs you 5 points, and W3 builds, mines and grows "
                "nothing for 3 turns."
            ),
        ),
        ("W3G=HATYSA", "W3 is your home world."),
        ("Z99", "W99 has never been in one of your reports."),
    ],
)  # fmt: skip
def test_an_order_with_a_surprising_effect_gets_a_warning(text: str, reason: str) -> None:
    assert rulings(text) == [warned(reason)]


def test_one_possible_thing_is_singular() -> None:
    assert rulings("W3B11I W3B2I")[1] == warned("Only 1 of 2 is possible.")


def test_a_gift_of_robots_depends_on_a_secret_character() -> None:
    state = galaxy()
    state.worlds[20].robots = True
    for character in Character:
        state.players[MARS].character = character
        assert rulings("W20G=MARS", state) == [
            warned("Robots live on W20. You can give it only if MARS is a Berserker.")
        ]


@pytest.mark.parametrize(
    ("character", "text", "reason"),
    [
        (Character.MERCHANT, "F3AP", " You lose a point for each of its people killed."),
        (Character.APOSTLE, "F3AI", " You lose a point for each shot."),
        (Character.APOSTLE, "F3AP",
         " You lose a point for each shot and each of its people killed."),
        (Character.BERSERKER, "F3AP", ""),
    ],
)  # fmt: skip
def test_fire_at_an_own_world_names_its_price(character: Character, text: str, reason: str) -> None:
    state = galaxy()
    state.players[CERES].character = character
    assert rulings(text, state) == [warned(f"W3 is your own world.{reason}")]


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("J=MARS W3G=MARS F3AP", ""),
        ("W3G=MARS J=MARS F3CP", ""),
        ("J=MARS F3AP", " You lose a point for each shot and each of its people killed."),
        ("J=MARS W3G=HATYSA F3AP",
         " You lose a point for each shot and each of its people killed."),
        ("J=MARS W3G=MARS F3AI", " You lose a point for each shot."),
    ],
)  # fmt: skip
def test_fire_at_people_given_to_the_victim_of_the_jihad_costs_nothing(
    text: str, price: str
) -> None:
    state = galaxy()
    state.players[CERES].character = Character.APOSTLE
    assert warned(f"W3 is your own world.{price}") in rulings(text, state)


def test_a_jihad_declared_earlier_counts_for_the_price_of_fire() -> None:
    state = galaxy()
    state.players[CERES].character, state.players[CERES].jihad = Character.APOSTLE, MARS
    assert rulings("W3G=MARS F3AP", state)[1] == warned("W3 is your own world.")


def test_own_converts_cost_points_in_a_jihad_too() -> None:
    state = galaxy()
    state.players[CERES].character = Character.APOSTLE
    state.worlds[3].converts, state.worlds[3].apostle = 5, CERES
    lost = "You lose a point for each of your own converts killed."
    assert rulings("J=MARS W3G=MARS F3AP", state)[2] == warned(f"W3 is your own world. {lost}")


FIRE = ("A", "C")
FIRE_AT_OWN = [
    *(f"F3{fire}{target}" for fire in FIRE for target in ("F21", "I", "P", "H")),
    *(f"{home}3{fire}{target}" for home in "IP" for fire in FIRE for target in ("F21", "C")),
    "F3R2",
    "F21D",
]
"""Each form of an order that fires or drops something, at what is the player's own."""


@pytest.mark.parametrize("text", FIRE_AT_OWN)
@pytest.mark.parametrize("character", Character)
def test_fire_at_own_things_always_gets_a_caution(character: Character, text: str) -> None:
    state = galaxy()
    state.players[CERES].character = character
    state.worlds[3].converts, state.worlds[3].apostle = 5, CERES
    state.fleets[21].bomb = True
    (ruling,) = rulings(text, state)
    can = text != "F3R2" or character is Character.BERSERKER
    assert ruling.kind is (RulingKind.WARNED if can else RulingKind.REJECTED)
    assert not can or re.search("your own (fleet|world)|are your own", ruling.reason)


def test_every_form_of_fire_is_tried_at_own_things() -> None:
    tried = {type(order) for text in FIRE_AT_OWN for order in read_orders(GRAMMAR, text)}
    firing = {form for form in o.Order.__subclasses__() if "trigger" in form.__slots__}
    assert tried == firing | {o.RobotAttack, o.DropBomb}


@pytest.mark.parametrize(
    ("character", "apostle", "reason"),
    [
        (Character.APOSTLE, CERES,
         ("The converts on W3 are your own. "
         "You lose a point for each shot and each convert killed.")),
        (Character.PIRATE, HATYSA,
         ("The converts on W3 are those of HATYSA, your ally. "
         "You lose a point for each convert killed.")),
        (Character.PIRATE, MARS, "You lose a point for each convert killed."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("text", ["I3AC", "P3AC", "I3CC"])
def test_fire_at_converts_names_its_price(
    character: Character, apostle: Seat, reason: str, text: str
) -> None:
    state = galaxy()
    state.players[CERES].character = character
    state.worlds[3].converts, state.worlds[3].apostle = 5, apostle
    assert rulings(text, state) == [warned(reason)]


def test_a_berserker_kills_the_converts_of_others_without_a_caution() -> None:
    state = galaxy()
    state.players[CERES].character = Character.BERSERKER
    state.worlds[3].converts, state.worlds[3].apostle = 5, MARS
    assert rulings("I3AC", state) == [ACCEPTED]


def test_own_converts_on_a_world_of_another_get_a_caution() -> None:
    state = galaxy()
    state.worlds[13].converts, state.worlds[13].apostle = 5, CERES
    assert rulings("F8AP", state) == [
        warned("Converts on W13 are your own, and some can be killed.")
    ]


FORMS = (
    "F{}W13", "F3W{}", "F3W13W{}", "F3W223W{}", "F3P{}", "I3P{}", "P{}P3", "F{}T1I", "F3T1F{}",
    "I{}T1F3", "P3T1F{}", "P{}T1I", "W{}S1", "W{}B1I", "W3B1F{}", "W{}B1F3", "W{}I1I", "W{}I1L",
    "W{}B1R", "P{}M1W3", "P3M1W{}", "C3M1W{}", "F{}U", "F{}L", "F{}J", "F{}N", "V{}F3", "V41F{}",
    "V{}W", "F{}AF3", "F3AF{}", "I3AF{}", "P{}CF3", "F{}AI", "F{}CP", "F{}AH", "I{}AC", "P{}CC",
    "Z{}", "F{}G=MARS", "W{}G=MARS", "W{}X", "F{}Q", "F{}X", "F{}B", "F{}D", "F{}R1",
)  # fmt: skip
"""Every form of an order with a number of a world, a fleet or an artifact."""


@pytest.mark.parametrize("form", FORMS)
def test_a_number_beyond_the_board_is_rejected(form: str) -> None:
    for number in (256, 999, 10**9 - 1):
        (ruling,) = rulings(form.format(number))
        assert ruling.kind is RulingKind.REJECTED


def test_a_pirate_plunders_without_a_caution() -> None:
    state = galaxy()
    state.players[CERES].character = Character.PIRATE
    assert rulings("W3X", state) == [ACCEPTED]


def test_an_empty_fleet_moves_with_what_it_is_given() -> None:
    assert rulings("F3T4F17 W3B2F17 F17W13") == [
        ACCEPTED,
        ACCEPTED,
        warned("F17 has no ships yet. It moves only with the ships from F3T4F17 and W3B2F17."),
    ]


def test_a_sheet_counts_in_the_sequence_of_the_turn() -> None:
    # F3 leaves 4 metal on 20, industry works 12; F3 has 3 ships left to load, F17 has 9.
    assert rulings("F17L10 F3L3 F3T9F17 F3U") == [
        warned("F17 can load only 9 metal."),
        ACCEPTED,
        ACCEPTED,
        ACCEPTED,
    ]


def test_metal_that_industry_works_cannot_be_loaded() -> None:
    state = galaxy()
    state.worlds[3].metal = 12
    assert rulings("F3L", state) == [rejected("W3 has no metal left.")]


def test_the_first_typed_of_exclusive_orders_counts() -> None:
    assert rulings("F3W13 F3AF9 F21AF9 F21G=MARS") == [
        ACCEPTED,
        rejected("F3W13 was typed first. You can give only one of these two orders."),
        ACCEPTED,
        rejected("F21AF9 was typed first. You can give only one of these two orders."),
    ]


@pytest.mark.parametrize(
    "twice", ["F3W13", "A=MARS", "V41F3", "F3Q", "W20G=HATYSA", "SIGN\na\nEND"]
)
def test_an_order_typed_twice_does_not_exclude_itself(twice: str) -> None:
    once = warned("This order is on the sheet twice. It counts once.")
    assert rulings(f"{twice}\n{twice}") == [ACCEPTED, once]


def test_a_fleet_that_gave_its_ships_away_has_none_left() -> None:
    assert rulings("F3T4F17 F17T4F3 F17W13")[2] == rejected("F17 has no ships left to move.")


def test_a_rejected_order_excludes_none_that_is_possible() -> None:
    assert rulings("F3W99 F3W13 F3AF9") == [
        rejected("W99 is not next to W3. Gates from W3: W13, W176, W223."),
        ACCEPTED,
        rejected("F3W13 was typed first. You can give only one of these two orders."),
    ]


def test_only_accepted_orders_are_named_as_bringing_ships() -> None:
    assert rulings("W3B2F17 W99B2F17 F17W13") == [
        ACCEPTED,
        rejected("You have no world 99."),
        warned("F17 has no ships yet. It moves only with the ships from W3B2F17."),
    ]


def test_each_order_that_brings_ships_is_named_once_and_only_if_it_can_be_done() -> None:
    assert rulings("W3B12F17 F3T12F17 W3B12F17 F3T5F17 F17W13") == [
        ACCEPTED,
        ACCEPTED,
        rejected("W3 does not have enough industry left."),
        rejected("F3 has no ships left."),
        warned("F17 has no ships yet. It moves only with the ships from W3B12F17 and F3T12F17."),
    ]


def test_builds_share_the_industry_as_typed() -> None:
    assert rulings("W3B10F3 W3B5I W3B1P") == [
        ACCEPTED,
        warned("Only 2 of 5 are possible."),
        rejected("W3 does not have enough industry left."),
    ]


def test_two_gifts_a_turn() -> None:
    assert rulings("F3G=MARS F17G=MARS W20G=MARS")[2] == rejected(
        "Only the first 2 gifts of a turn count."
    )


def test_a_gift_that_cannot_be_is_none_of_the_two() -> None:
    found = rulings("F3G=NOBODY F3G=CERES F9G=MARS F3G=MARS W20G=MARS F21G=MARS F21W13")
    kinds = [ruling.kind for ruling in found]
    rejected_, accepted_ = RulingKind.REJECTED, RulingKind.ACCEPTED
    assert kinds == [*[rejected_] * 3, accepted_, accepted_, rejected_, accepted_]


def test_orders_without_a_seat_are_rejected() -> None:
    nobody = Seat(9)
    assert list(validate(galaxy(), nobody, [o.HoldAmbush()])) == [
        rejected("You have no seat in this game.")
    ]
    assert list(unused(galaxy(), nobody, [])) == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "",
            [
                "F3, F8, F21: no order to move or fire, so they ambush.",
                "W3: 12 of 12 industry. It builds I-Ships.",
            ],
        ),
        ("F3W13 F8AP F21G=MARS W3B11I", ["W3: 1 of 12 industry. It builds an I-Ship."]),
        ("F3W13 F21AH W3B12I", ["F8: no order to move or fire, so it ambushes."]),
        (
            "F3W13 F21T4F17 Z13 W3I3I",
            [
                "F17, F21: no order to move or fire, so they ambush.",
                "F8: no order to move or fire, so it stays.",
            ],
        ),
        ("F3U F8L F21W3 W3B12I", ["F3, F8, F21: no order to move or fire, so they ambush."]),
        ("F3T12P F8T2P W3B20I Z", ["F21: no order to move or fire, so it stays."]),
    ],
)
def test_unused_units_are_listed(text: str, lines: list[str]) -> None:
    assert list(unused(galaxy(), CERES, read_orders(GRAMMAR, text))) == lines


def other_things_hidden(state: State, seat: Seat) -> State:
    """Return a state that differs from *state* in what *seat* cannot know."""
    other = state.copy()
    for number, world in other.worlds.items():
        if number not in state.players[seat].worlds:
            world.population, world.owner, world.metal, world.industry = 99, SEATS[1], 77, 9
            world.artifacts, world.iships, world.gates = [], 5, (*world.gates, 250)
            if number not in state.players[seat].charted:
                world.black_hole = not world.black_hole
    for fleet in other.fleets.values():
        if fleet.owner != seat:
            fleet.cargo = 0
            if fleet.world not in state.players[seat].worlds:
                fleet.ships, fleet.owner, fleet.bomb = 200, SEATS[2], True
    for rival in SEATS[1:]:
        old = other.players[rival]
        other.players[rival] = replace(old, character=Character.COLLECTOR, loaders=set(SEATS))
        other.players[rival].allies, other.players[rival].score = set(SEATS) - {rival}, 4321
    return other


@examples(60)
@given(galaxies(), SHEETS)
def test_rulings_reveal_nothing_that_the_seat_cannot_know(
    state: State, orders: list[o.Order]
) -> None:
    seat = SEATS[0]
    state = resolve(state, {}, frozenset(), Dice(b"seed")).state
    other = other_things_hidden(state, seat)
    assert validate(state, seat, orders) == validate(other, seat, orders)
    assert unused(state, seat, orders) == unused(other, seat, orders)
    assert draw_map(state, seat) == draw_map(other, seat)
    assert [explain(state, seat, each) for each in orders] == [
        explain(other, seat, each) for each in orders
    ]


@examples(60)
@given(galaxies(), SHEETS, st.sampled_from(SEATS))
def test_every_order_has_a_ruling_and_a_reason_unless_accepted(
    state: State, orders: list[o.Order], seat: Seat
) -> None:
    found = validate(state, seat, orders)
    assert len(found) == len(orders)
    for ruling in found:
        assert bool(ruling.reason) == (ruling.kind is not RulingKind.ACCEPTED)
