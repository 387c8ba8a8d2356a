"""Robots that play StarWeb: what they read, and whether they play sensibly."""

from collections.abc import Iterator

import pytest

from referee.reports.text import text
from referee.rules.dice import Dice
from referee.rules.ruleset import Resolution, Seat, SignUp
from referee.rulesets.starweb import RULESET
from referee.rulesets.starweb.orders import Order
from referee.rulesets.starweb.state import State
from referee.testing.robots.starweb import CHARACTERS, form
from referee.testing.robots.starweb.atlas import Atlas
from referee.testing.robots.starweb.reading import SeenFleet, read_report
from referee.testing.robots.starweb.robot import order_text
from referee.testing.robots.starweb.sheet import Sheet
from referee.testing.scenarios import OrderReading

NAMES = ("CERES", "HATYSA", "MARS", "VESTA", "JUNO", "TEJAT")
READING = OrderReading()
REPORT = """\
This is your report.

Game SW-1, Turn 9, [CERES]

[CERES]: Artifact Collector
   (Score=690,Worlds=1,Keys=1,Ships=6,Industry=30,Mines=2,People=458,
   Artifacts=2,Met=[JUNO],Ally/Loader=[TEJAT],Ally=[HATYSA],Loader=[MARS],
   Ally=[VESTA])

   ------------

W12 (2,15,17,47) [JUNO] C[TEJAT] (Lost by [CERES],Industry=30/2,Metal=40,
      Mines=2,Population=49/17C,Limit=92,Turns=3,I-Ships=4(Ambush),P-Ships=1,
      Deaths=3/1,Plunder=2/1)  V14:Golden Crown
      V100:Black Box
   F4[CERES]=2 (Moved,Cargo=1,At-Peace)  V29:Radiant Pyramid
   F7[HATYSA]=9
   F9[]=0
   F58[JUNO]=3 (AF4,PLANET-BUSTER)
   (F50[TEJAT]-->W47 F51[TEJAT]-->W47)

W17 (12,15) [CERES] (Population=8R)

W47 (12,15) [] (B*L*A*C*K H*O*L*E)

Players you can see this turn:  [JUNO]  [HATYSA]

Sign of [JUNO]:
# We bring metal.

Orders=1 <errors and comments in angle-brackets>:
====================
F4W12
====================
Due Friday

YOUR ORDERS FOR TURN 9
  # F4W          # 2 ships at W12
"""


def test_a_report_is_read() -> None:
    game = read_report(REPORT)
    assert (game.turn, game.name, game.character) == (9, "CERES", "Artifact Collector")
    assert game.met == ("JUNO", "TEJAT", "HATYSA", "MARS", "VESTA")
    assert game.allies == {"TEJAT", "HATYSA", "VESTA"}
    assert game.loaders == {"TEJAT", "MARS"}
    assert game.signs == {"JUNO": "# We bring metal.\n"}
    assert list(game.worlds) == [12, 17, 47]


def test_a_world_is_read() -> None:
    worlds = read_report(REPORT).worlds
    world = worlds[12]
    assert (world.gates, world.owner, world.apostle) == ((2, 15, 17, 47), "JUNO", "TEJAT")
    assert (world.industry, world.usable, world.metal, world.mines) == (30, 2, 40, 2)
    assert (world.population, world.converts, world.limit) == (49, 17, 92)
    assert (world.iships, world.pships, world.plunders, world.recovery) == (4, 1, 2, 1)
    assert world.artifacts == (14, 100)
    assert (worlds[17].population, worlds[17].robots) == (8, True)
    assert worlds[47].black_hole


def test_fleets_are_read() -> None:
    game = read_report(REPORT)
    own, *_, hostile = game.worlds[12].fleets
    assert own == SeenFleet(4, 12, "CERES", 2, 1, True, False, False, (29,))
    assert hostile == SeenFleet(58, 12, "JUNO", 3, 0, False, True, True, ())
    assert game.others_at(game.worlds[12]) == [hostile]


def test_a_letter_without_a_printout_cannot_be_read() -> None:
    with pytest.raises(ValueError, match="no printout"):
        read_report("Greetings")


def test_a_way_leads_around_black_holes() -> None:
    atlas = Atlas()
    atlas.learn(read_report(REPORT))
    assert atlas.way(12, lambda world: world == 15) == (15,)
    assert atlas.way(17, lambda world: world == 2) == (12, 2)
    assert atlas.way(12, lambda world: world == 47) == ()


def test_a_sheet_takes_only_what_can_be_done() -> None:
    game = read_report(REPORT)
    sheet = Sheet(game, Atlas(dict(game.worlds)))
    assert sheet.move(4, (15, 17, 12, 2))
    assert not sheet.fire(4, "AF58")
    assert not sheet.load(4)
    assert sheet.unload(4, "J")
    assert not sheet.build(17, 1, "I")
    assert sheet.orders == ["F4W15W17W12", "F4J"]


def test_orders_are_typed_in_lines() -> None:
    orders = ["ENDING 8000", *["F100W200W100"] * 7, "SIGN\nHello.\nEND"]
    assert order_text(orders) == (
        "F100W200W100 F100W200W100 F100W200W100 F100W200W100 F100W200W100\n"
        "F100W200W100 F100W200W100\nENDING 8000\nSIGN\nHello.\nEND\n"
    )


def test_the_form_of_an_order_has_no_names_and_numbers() -> None:
    orders = ("F10W2W33", "A=CERES", "F3G=MARS", "SIGN\nW7 is mine.\nEND", "F1CF2", "ENDING 90")
    assert [*map(form, orders)] == ["FnWnWn", "A=", "FnG=", "SIGN", "FnCFn", "ENDING n"]


def turns(count: int) -> Iterator[tuple[dict[Seat, str], Resolution[State, Order]]]:
    """Yield each turn's sheets and resolution in a game of one robot of each character."""
    seats = [
        SignUp(Seat(number), name, {"character": (character,)})
        for number, (name, character) in enumerate(zip(NAMES, CHARACTERS, strict=True), 1)
    ]
    dice = Dice(b"robots at play")
    state = RULESET.setup(seats, {"worlds": 72}, dice)
    robots = {seat.seat: CHARACTERS[seat.choices["character"][0]]() for seat in seats}
    for _ in range(count):
        grammar = RULESET.grammar(RULESET.phase(state))
        sheets = {seat: robots[seat].sheet(report(state, seat)) for seat in robots}
        orders = {seat: READING(grammar, sheet) for seat, sheet in sheets.items()}
        resolution = RULESET.resolve(state, orders, frozenset(), dice)
        yield sheets, resolution
        state = resolution.state


def report(state: State, seat: Seat) -> str:
    return text(RULESET.view(state, seat, "tomorrow"))


def test_robots_of_all_characters_play_and_get_points() -> None:
    played = list(turns(10))
    state = played[-1][1].state
    owned = {
        seat: sum(world.owner == seat for world in state.worlds.values()) for seat in range(1, 7)
    }
    assert [seat for seat, count in owned.items() if count < 3] == []
    assert max(player.score for player in state.players.values()) > 300


def test_few_of_their_orders_fail() -> None:
    outcomes = [
        outcome.done
        for _, resolution in turns(10)
        for sheet in resolution.outcomes.values()
        for _, outcome in sheet
    ]
    assert len(outcomes) > 600
    assert outcomes.count(False) < len(outcomes) / 10


def test_the_same_reports_give_the_same_orders() -> None:
    assert [sheets for sheets, _ in turns(5)] == [sheets for sheets, _ in turns(5)]
