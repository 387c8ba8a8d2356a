"""The printout's notation: text and values are inverse to each other, exact to the character."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.ruleset import UserError
from referee.rulesets.starweb.state import Character
from referee.rulesets.starweb.text import render_printout
from referee.rulesets.starweb.text.printout import (
    Acquaintance,
    DepartureRecord,
    FleetRecord,
    Holdings,
    OrderEcho,
    Printout,
    Relation,
    Sign,
    WorldRecord,
)
from tests.rulesets.starweb.text.notation import parse_printout

SAMPLE = """\
Game SW-555, Turn 11, [CERES]

[CERES]: Pirate
   (Score=481,Worlds=19,Keys=16,Ships=188,Industry=38,Mines=67,People=1137,
   Artifacts=9,Met=[TEJAT],Ally/Loader=[HATYSA],Ally=[MARS],Loader=[ARIES])

   ------------

W3 (13,176,223,251) [HATYSA] (Metal=15,Mines=4,Population=115,Limit=115,
      Turns=3)
   F109[HATYSA]=8 (Moved)
   (F68[HATYSA]-->W13 F125[MARS]-->W13)

W55 (128,153,188,218) [CERES] (Industry=1,Metal=6,Mines=5,Population=44,
      Limit=110,Turns=1,I-Ships=2)  V70:Plastic Moonstone
   F197[CERES]=4 (Moved,Cargo=4)  V41:Platinum Shekel

Players you can see this turn:  [URANUS]  [ARIES]

Their scores (not necessarily in order):  55  320

Orders=3 <errors and comments in angle-brackets>:
====================
F204U F109W99 <W99 is not adjacent to W3> F241W3W223
====================
Due Friday, September 19 at 6:00 PM MST
"""

names = st.text(string.ascii_uppercase, min_size=1, max_size=9)
maybe_names = st.just("") | names
numbers = st.integers(1, 255)
counts = st.integers(0, 255)
words = st.text(string.ascii_uppercase + string.digits, min_size=1, max_size=20)
artifacts = st.lists(st.integers(1, 100), max_size=6, unique=True).map(tuple)
fleet_fire = st.one_of(
    st.sampled_from(["AI", "AP", "AH", "CI", "CP", "CH"]), numbers.map("AF{}".format)
)
acts = st.lists(st.sampled_from(["Moved", "D", "R", "N", "Ambush"]) | fleet_fire, max_size=3).map(
    tuple
)
home_acts = st.sampled_from(["", "Ambush", "AC", "CC"]) | numbers.map("CF{}".format)


@st.composite
def fleets(draw: st.DrawFn) -> FleetRecord:
    bomb = draw(st.booleans())
    return FleetRecord(
        number=draw(numbers),
        owner=draw(maybe_names),
        ships=draw(counts),
        captured=draw(st.booleans()),
        lost_by=draw(maybe_names),
        gift_from=draw(maybe_names),
        did=draw(acts),
        cargo=draw(counts),
        at_peace=draw(st.booleans()),
        bomb=bomb,
        bomb_built=bomb and draw(st.booleans()),
        artifacts=draw(artifacts),
    )


@st.composite
def worlds(draw: st.DrawFn) -> WorldRecord:
    industry, population, deaths, plunders = (draw(counts) for _ in range(4))
    robots = bool(population) and draw(st.booleans())
    return WorldRecord(
        number=draw(numbers),
        gates=draw(st.none() | st.lists(numbers, max_size=14, unique=True).map(sorted).map(tuple)),
        owner=draw(maybe_names),
        apostle=draw(maybe_names),
        black_hole=draw(st.booleans()),
        captured=draw(st.booleans()),
        lost_by=draw(maybe_names),
        gift_from=draw(maybe_names),
        busted=draw(st.booleans()),
        industry=industry,
        usable=draw(st.integers(0, industry)),
        metal=draw(counts),
        mines=draw(st.integers(0, 31)),
        population=population,
        robots=robots,
        converts=0 if robots else draw(st.integers(0, population)),
        limit=draw(counts),
        turns=draw(st.integers(0, 7)),
        iships=draw(counts),
        iships_did=draw(home_acts),
        pships=draw(counts),
        pships_did=draw(home_acts),
        deaths=deaths,
        convert_deaths=draw(st.integers(0, deaths)),
        plunders=plunders,
        recovery=draw(st.integers(0, 3)) if plunders else 0,
        goods=draw(counts),
        artifacts=draw(artifacts),
        fleets=tuple(draw(st.lists(fleets(), max_size=3))),
        departures=tuple(
            draw(st.lists(st.builds(DepartureRecord, numbers, maybe_names, numbers), max_size=8))
        ),
    )


comments = st.lists(words, min_size=1, max_size=20).map(lambda said: f"<{' '.join(said)}>")
sign_lines = st.lists(st.text(string.printable[:95], max_size=78), max_size=2).map(tuple)
holdings = st.builds(Holdings, st.integers(-9999, 99999), *([st.integers(0, 9999)] * 9))
echoes = st.builds(
    OrderEcho, st.integers(0, 500), st.lists(words | comments, max_size=40).map(tuple)
)
printouts = st.builds(
    Printout,
    game=st.from_regex(r"SW-[0-9]{1,4}", fullmatch=True),
    turn=st.integers(1, 999),
    name=names,
    character=st.sampled_from(Character),
    holdings=holdings,
    acquaintances=st.lists(
        st.builds(Acquaintance, st.sampled_from(Relation), names), max_size=14
    ).map(tuple),
    worlds=st.lists(worlds(), max_size=3).map(tuple),
    seen=st.lists(names, max_size=14).map(tuple),
    scores=st.lists(st.integers(-999, 99999), max_size=14).map(tuple),
    signs=st.lists(st.builds(Sign, names, sign_lines), max_size=2).map(tuple),
    echo=st.none() | echoes,
    due=st.lists(words, max_size=20).map(" ".join),
)


def test_the_sample_goes_through_unchanged() -> None:
    assert render_printout(parse_printout(SAMPLE)) == SAMPLE


def test_the_sample_says_what_a_reader_sees() -> None:
    printout = parse_printout(SAMPLE)
    assert printout.holdings == Holdings(481, 19, 16, 188, 38, 67, 1137, artifacts=9)
    assert printout.acquaintances[1] == Acquaintance(Relation.ALLY_LOADER, "HATYSA")
    assert printout.worlds[0].departures[1] == DepartureRecord(125, "MARS", 13)
    assert printout.worlds[1].fleets == (
        FleetRecord(197, "CERES", 4, did=("Moved",), cargo=4, artifacts=(41,)),
    )
    assert (printout.seen, printout.scores) == (("URANUS", "ARIES"), (55, 320))
    assert printout.due == "Friday, September 19 at 6:00 PM MST"


@given(printouts)
def test_parsing_what_was_rendered_gives_the_printout(printout: Printout) -> None:
    assert parse_printout(render_printout(printout)) == printout


@given(printouts)
def test_a_printout_is_plain_and_at_most_78_wide(printout: Printout) -> None:
    text = render_printout(printout)
    assert text.isascii()
    assert max(len(line) for line in text.split("\n")) <= 78


def record(text: str) -> str:
    """Return a record's lines as in the printout, wherever its lines were broken before."""
    head, _, tail = SAMPLE.partition("W3 (")
    return render_printout(parse_printout(f"{head}{text}\n{tail[tail.index(chr(10) * 2) + 1 :]}"))


@pytest.mark.parametrize(
    "text",
    [
        "W1 (2,3) []",
        "W1 (2,3) [] (B*L*A*C*K H*O*L*E)\n   F5[]=0 (Lost by [CERES])",
        "W1 (2,3) [CERES] (Captured,Lost by [MARS],BUSTED,Limit=9)",
        "W1 (2,3) [CERES] (Gift from [MARS],Industry=30/2,Population=55)",
        "W1 (2,3) [CERES] C[TEJAT] (Population=25/5C)",
        "W1 (2,3) [TEJAT] C[TEJAT] (Population=30C,Deaths=4C)",
        "W1 (2,3) [CERES] (Population=50R,Deaths=9/3,Plunder=2/3,CG-Unload=4)",
        "W1 (2,3) [CERES] (I-Ships=0(AF137),P-Ships=3(Ambush))",
        "W1 (2,3) [CERES]  V1:Nebula Scrolls, Vol. I  V100:Black Box",
        "W1 (2) []\n   F226[CERES]=14 (Captured,Lost by [NEPTUNE],AH)",
        "W1 (2) []\n   F178[]=0 (Lost by [CERES],AF31)\n   F17[TERRAN]=0 (Captured)",
        "W1 (2) []\n   F9[MARS]=30 (AF2,At-Peace,PLANET-BUSTER)",
        "W1 (2) []\n   F9[MARS]=30 (N,Cargo=2,PLANET-BUSTER(Built))",
        "W1 (2) []\n   (F9[]-->W2)",
    ],
)
def test_a_form_of_a_record_goes_through_unchanged(text: str) -> None:
    assert f"\n\n{text}\n\n" in record(text)


def test_a_break_before_an_artifact_replaces_its_two_spaces() -> None:
    world = WorldRecord(1, (2, 3), "CERES", artifacts=(1, 2, 3, 64))
    empty = Printout("SW-1", 1, "CERES", Character.PIRATE, Holdings(), worlds=(world,))
    assert render_printout(empty).split("\n")[7:9] == [
        "W1 (2,3) [CERES]  V1:Nebula Scrolls, Vol. I  V2:Nebula Scrolls, Vol. II",
        "      V3:Nebula Scrolls, Vol. III  V64:Golden Sepulchre",
    ]


def test_the_report_before_the_first_orders_has_no_echo() -> None:
    printout = Printout("SW-1", 1, "MARS", Character.MERCHANT, Holdings(worlds=1), due="Friday")
    assert render_printout(printout) == (
        "Game SW-1, Turn 1, [MARS]\n\n[MARS]: Merchant\n   (Worlds=1)\n\n   ------------\n\n"
        "====================\nDue Friday\n"
    )
    assert parse_printout(render_printout(printout)) == printout


def test_a_sign_is_printed_as_a_comment() -> None:
    sign = Sign("MARS", ("x" * 78, ""))
    printout = Printout("SW-1", 1, "CERES", Character.PIRATE, Holdings(), signs=(sign,))
    assert render_printout(printout).split("\n")[7:] == [
        "Sign of [MARS]:",
        "# " + "x" * 76,
        "#+xx",
        "#",
        "",
        "====================",
        "",
    ]


def test_orders_fill_the_lines_and_break_at_spaces() -> None:
    echo = OrderEcho(30, ("F1W2",) * 30)
    printout = Printout("SW-1", 2, "CERES", Character.PIRATE, Holdings(), echo=echo)
    assert render_printout(printout).split("\n")[7:] == [
        "Orders=30 <errors and comments in angle-brackets>:",
        "====================",
        " ".join(["F1W2"] * 15),
        " ".join(["F1W2"] * 15),
        "====================",
        "",
    ]


@pytest.mark.parametrize(
    ("good", "bad", "reason"),
    [
        ("Turn 11", "Turn 011", "line 1, column 19: expected"),
        ("[CERES]: Pirate", "[MARS]: Pirate", "line 3, column 1: expected [CERES]:"),
        ("Pirate", "Pirat", "line 3, column 10: expected a character"),
        ("Keys=16,", "Kyes=16,", "line 4, column 25: expected Score=0"),
        ("Score=481", "Score=0481", "line 4, column 11: expected"),
        ("Artifacts=9,Met=[TEJAT],", "Artifacts=9,Met=[TEJAT]", "line 5, column 27: expected"),
        ("------------", "-----------", "line 7, column 15: expected"),
        ("W3 (13", "W3 (013", "line 9, column 5: expected"),
        ("Metal=15", "Metal=256", "line 9, column 31: metal can be at most 255, not 256"),
        ("Mines=4", "Mines=32", "line 9, column 40: mines can be at most 31, not 32"),
        ("Turns=3)", "Turns=3", "line 10, column 7: "),
        ("(Moved)", "( Moved)", "line 11, column 20: expected"),
        ("F68[HATYSA]-->W13", "F68[HATYSA]->W13", "line 12, column 16: expected -->"),
        ("V70:Plastic", "V71:Plastic", "line 15, column 41: expected the name of V71"),
        ("V70:Plastic Moonstone", "V101:X", "line 15, column 37: there is no artifact V101"),
        ("[URANUS]  [ARIES]", "[URANUS] [ARIES]", "line 18, column 42: expected"),
        ("  55  320", "  55  abc", "line 20, column 47: expected a score"),
        ("Orders=3 <errors", "Orders=3  <errors", "line 22, column 1: expected Orders=3"),
        ("====================\nDue", "===\nDue", "line 27, column 1: expected the orders between"),
        ("\nDue Friday", "\n\nDue Friday", "line 22, column 1: "),
        ("Due Friday,", "Due Friday, ", "line 26, column 13: expected"),
        ("MST\n", "MST\n\n", "line 27, column 1: expected a different end"),
    ],
)
def test_an_error_names_its_line_and_column(good: str, bad: str, reason: str) -> None:
    assert good in SAMPLE
    with pytest.raises(UserError) as mistake:
        parse_printout(SAMPLE.replace(good, bad, 1))
    assert str(mistake.value)[: len(reason)] == reason


def reading(text: str) -> str:
    """Return the printout with the content of *text*, or the error message."""
    try:
        return render_printout(parse_printout(text))
    except UserError as mistake:
        return str(mistake)


@given(st.integers(0, len(SAMPLE) - 2))
def test_a_truncated_printout_is_rejected_or_complete(length: int) -> None:
    cut = SAMPLE[:length]
    assert reading(cut).startswith(("line ", cut))


@given(st.integers(0, len(SAMPLE) - 1), st.sampled_from(" \n()[],=0W-/F<>#é\x00"))
def test_a_printout_with_one_wrong_character_is_never_misunderstood(at: int, wrong: str) -> None:
    text = SAMPLE[:at] + wrong + SAMPLE[at + 1 :]
    assert reading(text).startswith(("line ", text))


@given(st.text(max_size=300))
def test_any_text_raises_only_user_errors(text: str) -> None:
    with pytest.raises(UserError):
        parse_printout(text)
