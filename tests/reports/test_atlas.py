"""The atlas: what is in the page, and what cannot get out of its place in it."""

import hashlib
import json
import re
from base64 import b64encode
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.reports.atlas import MOST, PARTS, atlas, embedded
from referee.reports.atlas_records import SeenTurn, records
from referee.reports.structure import report_json
from referee.rules.order_forms import OrderForm, Target
from referee.rules.ruleset import Event, Weight
from referee.rules.views import (
    Chart,
    Link,
    Mark,
    Node,
    Prose,
    Sighting,
    Table,
    Unit,
    UnitKind,
    Verbatim,
)
from tests.reports.atlas_pages import Elements, data_of, golden_page, heading, record_texts
from tests.support.seen_turns import GAMES, seen

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "<img src=x onerror=alert(1)>",
    "]]>&lt;",
    "\u2028\u2029\u0000\u001b",
    "\u202egnihtemos\u202c",
    "אבגד",
    "<!-- policy --><!-- script -->",
    "'\"`${alert(1)}\\",
    "\ud800",
)
FLEET = Unit("F3", "CERES", UnitKind.FLEET, "4 ships", 3)
WEB = Chart(
    nodes=(
        Node("W1", ("I=2",), "CERES", marks=(Mark.HOME,), units=(FLEET,)),
        Node("W2", (), sighting=Sighting.UNEXPLORED),
    ),
    links=(Link("W1", "W2"),),
    owners=("CERES", "VESTA"),
)
MOVE = OrderForm("Move", "{key}{path}", UnitKind.FLEET, Target.PLACE)


KEYS = [
    pytest.param(key, marks=[] if key == "fistful" else [pytest.mark.slow]) for key in sorted(GAMES)
]
"""A golden game of each ruleset; only the fastest is not slow."""


def turn(number: int, chart: Chart = WEB, *view: Prose | Table | Verbatim) -> SeenTurn:
    return SeenTurn(number, view, chart)


def places_of(chart: Chart, *view: Prose | Table | Verbatim) -> dict[str, str]:
    (told,) = records([turn(1, chart, *view)])
    places = {place.key: place.text for place in told.places}
    return places | {unit.key: unit.text for unit in told.units}


# ---- What is in it ----


def test_a_place_has_the_part_of_the_report_that_begins_with_its_name() -> None:
    printout = "W1 (2) [CERES] (Metal=5,\n      Mines=1)\n   F3[CERES]=4\n\nW7 is mentioned."
    told = places_of(WEB, Verbatim(printout))
    assert told["W1"] == "I=2\nW1 (2) [CERES] (Metal=5,Mines=1)\n   F3[CERES]=4"


def test_a_row_of_a_table_is_about_the_unit_in_it_or_else_about_the_place() -> None:
    table = Table(("At", "Ship", "Guns"), (("W1", "F3", "9"), ("W1", "other", ""), ("x", "", "")))
    assert places_of(WEB, table) == {
        "W1": "I=2\nShip: other",
        "W2": "",
        "F3": "4 ships\nAt: W1, Guns: 9",
    }


def test_details_are_shown_where_the_report_says_no_more() -> None:
    node = Node("W1", ("I=2",), details=("Metal=5",))
    assert places_of(Chart((node,), ())) == {"W1": "I=2\nMetal=5"}


def test_the_news_of_a_turn_are_its_events_at_places_of_the_map() -> None:
    lost = Event("You lost F3.", None, Weight.LOSS, ("W1", "W99"))
    (told,) = records([SeenTurn(1, (), WEB, (lost, Event("You earn 3.", None)))])
    assert told.news == (("You lost F3.", ("W1",)), ("You earn 3.", ()))


def test_units_of_one_name_have_their_owners_in_their_names() -> None:
    other = replace(FLEET, owner="VESTA", text="9 ships")
    node = Node("W1", (), units=(FLEET, other))
    told = places_of(Chart((node,), ()), Table(("Ship", "Guns"), (("F3", "9"),)))
    (both,) = records([turn(1, Chart((node,), ()))])
    assert [unit.name for unit in both.units] == ["F3 (CERES)", "F3 (VESTA)"]
    assert told["F3"] == "9 ships"


def test_units_without_a_name_are_in_the_record_of_their_place() -> None:
    unknown = Unit("?", "", UnitKind.UNKNOWN, "3 ships, 40 tons")
    assert places_of(Chart((Node("(1,2)", (), units=(unknown,)),), ())) == {
        "(1,2)": "3 ships, 40 tons"
    }


def test_each_turn_has_only_what_changed_since_the_turn_before() -> None:
    later = replace(WEB, nodes=(replace(WEB.nodes[0], lines=("I=7",)), WEB.nodes[1]))
    data = data_of(atlas(heading(3), [turn(1), turn(2), turn(3, later)], [MOVE], "orders", ()))
    assert [each["p"] for each in data["turns"]][1:] == [[0], [[0, [-1, 1, 7]]]]
    assert [each["u"] for each in data["turns"]][1:] == [[0], [0]]
    assert ("p", "W1", 3, "I=7") in list(record_texts(data))


def test_a_place_that_is_no_longer_on_the_map_stays_where_it_was() -> None:
    data = data_of(atlas(heading(2), [turn(1), turn(2, Chart((), ()))], [], "orders", ()))
    assert [place[0] for place in data["places"]] == ["W1", "W2"]
    assert data["links"] == [[0, 1, 1, "way"]]


def test_orders_of_other_phases_are_left_out() -> None:
    later = replace(MOVE, label="Later", phases=("build",))
    data = data_of(atlas(heading(1), [turn(1)], [MOVE, later], "orders", ()))
    assert [form["label"] for form in data["forms"]] == ["Move"]


@pytest.mark.slow
def test_the_oldest_turns_are_left_out_of_a_page_that_would_be_too_large() -> None:
    def busy(number: int) -> SeenTurn:
        lines = tuple(f"{number * each**3:x}" * 30 for each in range(1, 100))
        return turn(number, replace(WEB, nodes=(Node("W1", lines), WEB.nodes[1])))

    page = atlas(heading(40), [busy(number) for number in range(1, 41)], [], "orders", ())
    data = data_of(page)
    assert len(page) <= MOST
    assert (data["isCut"], data["turns"][-1]["n"]) == (True, 40)
    assert 1 < data["turns"][0]["n"] < 40
    assert data_of(atlas(heading(1), [turn(1)], [], "orders", ()))["isCut"] is False


# ---- What it may not do ----


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_gets_out_of_its_place(name: str) -> None:
    node = Node(name, (name,), name, units=(replace(FLEET, key=name, owner=name, text=name),))
    chart = Chart((node,), (), title=name, owners=(name,))
    plain = atlas(heading(1), [turn(1)], [MOVE], "orders", ())
    page = atlas(
        heading(1, name, deadline=name, orders_to=name, subject=name),
        [turn(1, chart, Prose(name), Verbatim(f"{name} said it", name))],
        [MOVE],
        "orders",
        (),
    )
    shape = [(tag, attributes) for tag, attributes, _ in Elements(page).found]
    assert shape == [(tag, attributes) for tag, attributes, _ in Elements(plain).found]
    assert data_of(page)["places"][0][0] == name.encode("utf-8", "replace").decode()
    assert Elements(page).texts("script")[1] == Elements(plain).texts("script")[1]


@given(st.text())
def test_embedded_data_has_no_sign_of_markup_and_is_read_as_it_was(text: str) -> None:
    written = embedded({"text": text})
    assert not set(written) & set("<>&\u2028\u2029")
    assert json.loads(written) == {"text": text}


def test_the_policy_allows_this_style_and_this_script_and_nothing_else() -> None:
    elements = Elements(golden_page("fistful", 1, 3))
    (policy,) = [
        attributes["content"] or ""
        for tag, attributes, _ in elements.found
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules == {
        "default-src": "'none'",
        "style-src": f"'{_digest(elements.texts('style')[0])}'",
        "script-src": f"'{_digest(elements.texts('script')[1])}'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def _digest(text: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def test_the_page_names_nothing_on_a_network() -> None:
    page = golden_page("fistful", 1, 3).decode()
    assert set(re.findall(r"[a-z]+://[^\s\"'<]*", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(
        r"(?<!-)\b(src|srcset|@import|fetch|XMLHttpRequest|WebSocket|import\()\b", page
    )


def test_every_part_of_the_script_is_in_the_page() -> None:
    script = Elements(golden_page("fistful", 1, 3)).texts("script")[1]
    files = sorted(PARTS.glob("*.js"))
    assert [file.name for file in files if file.read_text("utf-8") not in script] == []
    assert len(script) == sum(len(file.read_text("utf-8")) for file in files)


def test_the_script_writes_no_markup() -> None:
    script = "".join(file.read_text("utf-8") for file in PARTS.glob("*.js"))
    assert not re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script)


@pytest.mark.parametrize("key", KEYS)
def test_it_says_nothing_that_the_reports_do_not_say(key: str) -> None:
    """Compare the words in all records and news of a game with those of its reports."""
    told = seen(key, 1, 6)
    reports = json.dumps(
        [[report_json((*t.view, t.chart)), [event.text for event in t.events]] for t in told],
        ensure_ascii=False,
    )
    data = data_of(golden_page(key, 1, 6))
    texts = [text for *_, text in record_texts(data)] + data["words"] + data["units"]
    texts += [place[0] for place in data["places"]] + [each[0] for each in data["ground"]]
    assert _words(" ".join(texts)) - _words(reports.replace("\\n", " ")) == set()


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def test_the_same_reports_give_the_same_page() -> None:
    told = seen("fistful", 1, 3)
    again = [SeenTurn(each.number, each.view, each.chart, each.events) for each in told]
    assert atlas(heading(3), again, [], "orders", ()) == atlas(heading(3), told, [], "orders", ())


# ---- How large it is ----


@pytest.mark.parametrize("key", KEYS)
def test_an_atlas_of_a_few_turns_is_small(key: str) -> None:
    assert len(golden_page(key, 1, 6)) < 150_000


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("seat", range(1, 16))
def test_thirty_turns_of_the_golden_game_of_starweb_are_all_in_the_page(seat: int) -> None:
    page = golden_page("starweb", seat, 30)
    data = data_of(page)
    assert (len(data["turns"]), data["isCut"]) == (30, False)
    assert len(page) <= MOST


@pytest.mark.slow
def test_thirty_turns_of_255_worlds_that_are_all_seen_fit() -> None:
    """A made game, worse than any: a seat sees all 255 worlds and 255 keys in every turn."""
    page = atlas(heading(30), [_crowded(number) for number in range(1, 31)], [MOVE], "orders", ())
    data = data_of(page)
    assert (len(data["places"]), len(data["units"]), len(data["turns"])) == (255, 255, 30)
    assert len(page) <= MOST


def _crowded(number: int) -> SeenTurn:
    """Return a turn in which every world makes metal and some keys move, lose or gain ships."""
    nodes, lines = [], []
    for world in range(1, 256):
        owner = f"PLAYER{(world + number // 9) % 15}"
        ships = 1 + world * ((number + world) // 4) % 40
        at = world if world % 3 else 1 + (world + number) % 255
        fleet = Unit(f"F{world}", owner, UnitKind.FLEET, f"{ships} ships", 3)
        nodes.append(Node(f"W{world}", (f"I={world % 30} M=5",), owner, units=(fleet,)))
        lines.append(
            f"W{world} ({world % 255 + 1}) [{owner}] (Industry={world % 30},Metal={number * 5},"
            f"Mines=5,Population=100,\n      Limit=120,Turns={number})\n   F{at}[{owner}]={ships}\n"
        )
    links = tuple(Link(f"W{world}", f"W{world % 255 + 1}") for world in range(1, 256))
    owners = tuple(f"PLAYER{each}" for each in range(15))
    return SeenTurn(
        number, (Verbatim("\n".join(lines)),), Chart(tuple(nodes), links, owners=owners)
    )
