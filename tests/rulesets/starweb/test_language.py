"""Reading and writing all forms of StarWeb orders."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.parsing.items import Parsed, Unparsed
from referee.parsing.reader import Reader, read_orders
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.language import GRAMMAR
from tests.rulesets.starweb.sheets import CLASSES, ORDERS

READER = Reader(GRAMMAR)
INDUSTRY, PEOPLE = o.Home.INDUSTRY, o.Home.PEOPLE
ALWAYS, IF_FIRED_AT = o.Trigger.ALWAYS, o.Trigger.CONDITIONAL

EVERY_FORM = [
    ("F3T4F17", o.TransferToFleet(3, 4, 17)),
    ("F3T4I", o.TransferToHome(3, 4, INDUSTRY)),
    ("F3T1P", o.TransferToHome(3, 1, PEOPLE)),
    ("I69T4F108", o.TransferFromHome(INDUSTRY, 69, 4, 108)),
    ("P86T4F108", o.TransferFromHome(PEOPLE, 86, 4, 108)),
    ("P86T2I", o.TransferBetweenHomes(PEOPLE, 86, 2)),
    ("I86T2P", o.TransferBetweenHomes(INDUSTRY, 86, 2)),
    ("W5S1", o.ScrapShips(5, 1)),
    ("W75B10I", o.BuildHomeShips(75, 10, INDUSTRY)),
    ("W75B2P", o.BuildHomeShips(75, 2, PEOPLE)),
    ("W75B8F102", o.BuildFleetShips(75, 8, 102)),
    ("W205I3I", o.BuildIndustry(205, 3)),
    ("W205I3L", o.RaiseLimit(205, 3)),
    ("W75B5R", o.BuildRobots(75, 5)),
    ("P75M4W5", o.MigratePeople(75, 4, 5)),
    ("C75M4W5", o.MigrateConverts(75, 4, 5)),
    ("F5W2", o.MoveFleet(5, (2,))),
    ("F119W5W18", o.MoveFleet(119, (5, 18))),
    ("F85W2W3W4", o.MoveFleet(85, (2, 3, 4))),
    ("F3P66", o.ProbeFromFleet(3, 66)),
    ("I75P12", o.ProbeFromHome(INDUSTRY, 75, 12)),
    ("P75P12", o.ProbeFromHome(PEOPLE, 75, 12)),
    ("F3L", o.Load(3)),
    ("F3L5", o.Load(3, 5)),
    ("F3U", o.Unload(3)),
    ("F3U5", o.Unload(3, 5)),
    ("F3J", o.Jettison(3)),
    ("F3J5", o.Jettison(3, 5)),
    ("F3N", o.UnloadGoods(3)),
    ("F3N5", o.UnloadGoods(3, 5)),
    ("V41F197", o.HookArtifact(41, 197)),
    ("V41W", o.DropArtifact(41)),
    ("F70AF98", o.FireAtFleet(70, ALWAYS, 98)),
    ("F70CF98", o.FireAtFleet(70, IF_FIRED_AT, 98)),
    ("F70AI", o.FireAtWorld(70, ALWAYS, o.Aim.INDUSTRY)),
    ("F70AP", o.FireAtWorld(70, ALWAYS, o.Aim.PEOPLE)),
    ("F70AH", o.FireAtWorld(70, ALWAYS, o.Aim.HOME_FLEETS)),
    ("F70CI", o.FireAtWorld(70, IF_FIRED_AT, o.Aim.INDUSTRY)),
    ("F70CP", o.FireAtWorld(70, IF_FIRED_AT, o.Aim.PEOPLE)),
    ("F70CH", o.FireAtWorld(70, IF_FIRED_AT, o.Aim.HOME_FLEETS)),
    ("I75AF98", o.HomeFireAtFleet(INDUSTRY, 75, ALWAYS, 98)),
    ("P75CF98", o.HomeFireAtFleet(PEOPLE, 75, IF_FIRED_AT, 98)),
    ("I75AC", o.HomeFireAtConverts(INDUSTRY, 75, ALWAYS)),
    ("P75AC", o.HomeFireAtConverts(PEOPLE, 75, ALWAYS)),
    ("I75CC", o.HomeFireAtConverts(INDUSTRY, 75, IF_FIRED_AT)),
    ("P75CC", o.HomeFireAtConverts(PEOPLE, 75, IF_FIRED_AT)),
    ("Z", o.HoldAmbush()),
    ("Z75", o.HoldAmbush(75)),
    ("A=HATYSA", o.DeclareAlly("HATYSA")),
    ("N=HATYSA", o.DeclareNonAlly("HATYSA")),
    ("L=HATYSA", o.DeclareLoader("HATYSA")),
    ("X=HATYSA", o.DeclareNonLoader("HATYSA")),
    ("J=HATYSA", o.DeclareJihad("HATYSA")),
    ("F3G=HATYSA", o.GiveFleet(3, "HATYSA")),
    ("W3G=HATYSA", o.GiveWorld(3, "HATYSA")),
    ("W75X", o.Plunder(75)),
    ("F3Q", o.MakePeace(3)),
    ("F3X", o.EndPeace(3)),
    ("F3B", o.BuildBomb(3)),
    ("F3D", o.DropBomb(3)),
    ("F7R2", o.RobotAttack(7, 2)),
    ("ENDING 8000", o.VoteEnding(8000)),
    ("SIGN\nThe CERES welcome traders.\n # not pirates\nEND",
     o.PostSign(("The CERES welcome traders.", " # not pirates"))),
]  # fmt: skip


@pytest.mark.parametrize(("text", "order"), EVERY_FORM)
def test_every_form_reads_and_is_written_alike(text: str, order: o.Order) -> None:
    assert (read_orders(GRAMMAR, text), o.ORDERS.render(order)) == ((order,), text)


@pytest.mark.parametrize(("text", "order"), EVERY_FORM[:-1])
def test_small_letters_are_the_same(text: str, order: o.Order) -> None:
    assert read_orders(GRAMMAR, text.lower()) == (order,)


def test_every_class_of_order_is_shown() -> None:
    classes = {c for c in vars(o).values() if isinstance(c, type) and issubclass(c, o.Order)}
    assert {type(order) for _, order in EVERY_FORM} == classes - {o.Order} == CLASSES


@given(ORDERS)
def test_reading_undoes_writing(order: o.Order) -> None:
    assert read_orders(GRAMMAR, o.ORDERS.render(order)) == (order,)


@given(st.lists(ORDERS, max_size=20), st.sampled_from([" ", ", ", "\n"]))
def test_a_sheet_reads_as_its_orders(orders: list[o.Order], between: str) -> None:
    codes = [order for order in orders if not isinstance(order, o.PostSign)]
    assert read_orders(GRAMMAR, between.join(map(o.ORDERS.render, codes))) == tuple(codes)


@given(
    st.text() | st.text("FWIPCVZTSBMLUJNAXQDRGH=0123456789 ,\n\u0420\uff13") | st.binary().map(repr)
)
def test_no_text_raises(text: str) -> None:
    assert all(isinstance(item, Parsed | Unparsed) for item in READER.read(text))


AWFUL = [
    ("X=W[ID", 4, "Unexpected text after X=W: [.", "Did you mean X=WID?"),
    ("F3TF7", 4, "Expected a number of ships.", "F3T5F7 moves five."),
    ("F70TF98", 5, "Expected a number of ships.", "F70T5F98 moves five."),
    ("F005W2", 2, "A number has no leading zeros.", "Write F5W2."),
    ("F3W007", 4, "A number has no leading zeros.", "Write F3W7."),
    ("F1W2W3W4W5", 9, "A fleet passes at most three gates in a turn.",
     "End the route at the third world."),
    ("F119W5W18F3T1P", 10, "Another order starts after F119W5W18.",
     "Write F119W5W18 F3T1P with a space."),
    ("F--5W--2", 2, "An order has no marks in it.", "Write F5W2."),
    ("F3->W5", 3, "An order has no marks in it.", "Write F3W5."),
    ("F1OW5", 3, "This is the letter O, not a zero.", "Write F10W5."),
    ("F3T0F7", 4, "A number here must be at least 1.", ""),
    ("F0W2", 2, "There is no F0. Numbers begin at 1.", ""),
    ("F3", 3, "Expected an action after the fleet.", "F3W5 moves it to W5."),
    ("W5", 3, "Expected an action after the world.", "W75B2I builds two I-Ships there."),
    ("V5", 3, "Expected a fleet or W after the artifact.",
     "V41F3 hooks it to fleet 3, V41W drops it."),
    ("W75B10", 7, "Expected what to build.",
     "I makes I-Ships, P makes P-Ships, F3 puts them on fleet 3."),
    ("W75BF3", 5, "Expected a number of ships.", "W75B5F3 builds five."),
    ("W75B4L", 6, "The limit is raised with I.", "W75I10L raises it by ten."),
    ("F1B5", 4, "A bomb always takes 25 ships.", "F3B builds it; T transfers ships."),
    ("F3PW5", 4, "A probe needs only the number of the world.", "F3P5 probes W5."),
    ("I75T4I", 6, "They are I-Ships already.", "I75T4P makes them P-Ships."),
    ("P75T4P", 6, "They are P-Ships already.", "P75T4I makes them I-Ships."),
    ("I75W5", 4, "Home fleets cannot move.",
     "First put them on a fleet: I75T4F3 puts four on fleet 3."),
    ("I75AP", 5, "Home fleets fire at a fleet or at converts.", "Write I75AF98 or I75AC."),
    ("F3AC", 4, "Only home fleets can fire at converts.", "F3AP fires at the people."),
    ("F3AW5", 4, "A fleet fires where it is, at I, P or H.", "Write F3AI, F3AP or F3AH."),
    ("F3G", 4, "Expected = and a name.", "F3G=HATYSA gives the fleet to HATYSA."),
    ("F3=MARS", 3,
     "Expected A, B, C, D, G, J, L, N, P, Q, R, T, U, X or a code like W5 after F3, but found =.",
     "Did you mean F3G=MARS?"),
    ("A=FRODOBAGGINS", 12, "A code name has one to nine letters, and nothing else.", ""),
    ("A=R2D2", 4, "A code name has one to nine letters, and nothing else.", ""),
    ("ENDNG", 1, "Unknown word ENDNG.", "Did you mean ENDING?"),
    ("ENDING", 7, "Expected a score.", "ENDING 8000 votes for 8000."),
    ("M5W3", 1, "No order starts with M.", ""),
    ("F3T4T5F7", 5, "Expected I, P or a code like F5 after F3T4, but found T.", ""),
    ("\u0420" + "75T3I", 1, "This is the Cyrillic letter Er, which looks like P.",
     "Write P75T3I in Latin letters."),
    ("F3W99999999999", 4, "A number has at most 9 digits.", ""),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "column", "reason", "advice"), AWFUL)
def test_a_bad_line_gets_advice_at_its_place(
    typed: str, column: int, reason: str, advice: str
) -> None:
    (item,) = READER.read(typed)
    assert isinstance(item, Unparsed)
    assert (item.column, item.reason, item.advice) == (column, reason, advice)


@pytest.mark.parametrize("typed", [case[0] for case in AWFUL])
def test_no_advice_shows_grammar_names(typed: str) -> None:
    answers = " ".join(
        f"{i.reason} {i.advice}" for i in READER.read(typed) if isinstance(i, Unparsed)
    )
    inner = {*GRAMMAR.terminals, *GRAMMAR.orders, "$END", "ANON", "__"} - {"NAME"}
    assert not [word for word in inner if word in answers]


def test_one_bad_order_does_not_affect_others() -> None:
    read = READER.read("F3T4F17 F3TF7, W75B2F119\nF005W2 A=MARS")
    orders = [item.order for item in read if isinstance(item, Parsed)]
    assert orders == [
        o.TransferToFleet(3, 4, 17),
        o.BuildFleetShips(75, 2, 119),
        o.DeclareAlly("MARS"),
    ]
    misread = [(item.line, item.column) for item in read if isinstance(item, Unparsed)]
    assert misread == [(1, 12), (2, 2)]


def test_no_part_of_a_line_with_other_words_is_read() -> None:
    read = [item for item in READER.read("F3W5 then F3TF7") if isinstance(item, Unparsed)]
    assert [item.text for item in read] == ["then", "F3TF7"]
    assert "Until it is fixed, the other order on this line is not read." in read[-1].advice


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("", "A sign has one or two lines between SIGN and END."),
        ("a\nb\nc\n", "A sign has one or two lines between SIGN and END."),
        ("x" * 79 + "\n", "A line of a sign has at most 78 characters."),
    ],
)
def test_a_sign_is_short(lines: str, reason: str) -> None:
    assert READER.read(f"SIGN\n{lines}END") == (Unparsed("SIGN", 1, 1, reason),)
