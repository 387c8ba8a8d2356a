"""The atlas in a browser: what a player sees, hears, types and sends."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from referee.parsing.reader import reader_of
from referee.reports.atlas import atlas
from referee.reports.atlas_records import PlaceRecord, TurnRecords, records
from referee.rules.order_forms import OrderForm, Target
from referee.rules.ruleset import RulingKind, Seat
from referee.rules.views import Node, Sighting, UnitKind
from tests.live.chromium import Browser, Keys, chromium
from tests.live.servers import until
from tests.reports.atlas_pages import ORDERS_TO, golden_page, heading
from tests.reports.test_atlas import HOSTILE, MOVE, WEB, turn
from tests.support.golden_states import ruleset
from tests.support.seen_turns import GAMES, seen, states

pytestmark = [pytest.mark.live, pytest.mark.slow]

TURNS = {"fistful": 8, "singularity": 8, "star_empires": 8, "starfarers": 12, "starweb": 12}
"""How many turns of the golden games the atlases have."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write the atlas of the first seat in a golden game of each ruleset."""
    folder = tmp_path_factory.mktemp("atlases")
    files = {}
    for key in GAMES:
        files[key] = folder / f"{key}.html"
        files[key].write_bytes(golden_page(key, 1, TURNS[key]))
    return files


@pytest.fixture(scope="module")
def phone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("phone"), phone=True) as found:
        yield found


@dataclass(frozen=True)
class Case:
    """An order that is composed: the form, the unit or place, its target, other fields."""

    key: str
    label: str
    subject: str
    target: str = ""
    order: str = ""
    number: str = ""


def told(key: str) -> tuple[TurnRecords, ...]:
    return records(seen(key, 1, TURNS[key]))


# ---- What it shows ----


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_page_opens_from_the_disk_without_a_network_and_without_complaints(
    key: str, pages: dict[str, Path], browser: Browser
) -> None:
    browser.open(pages[key])
    for selector in ("#told summary", "#list summary", "#ways summary", "#legend summary"):
        browser.find(selector).click()
    browser.find("#whole").click()
    last = told(key)[-1]
    assert f"turn {last.turn}" in browser.text("#facts")
    seen_now = [place.key for place in last.places if place.sighting is Sighting.SEEN]
    # A browser says that details were opened a moment after they were.
    until("the places are listed", lambda: browser.all("#table td") != [])
    listed = [row.text for row in browser.all("#table td:first-child")]
    hexes = {ground.name for ground in seen(key, 1, TURNS[key])[-1].chart.ground}
    assert {place for place in seen_now if place not in hexes} <= {*listed}
    assert browser.complaints() == []


@pytest.mark.release
@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_slider_shows_what_was_last_known_in_each_turn(
    key: str, pages: dict[str, Path], browser: Browser
) -> None:
    browser.open(pages[key])
    turns = told(key)
    place = _often_changed(turns)
    browser.search(place)
    for number in range(len(turns), 0, -1):
        browser.turn_to(number)
        record, since = _last_known(turns[:number], place)
        assert browser.text("#about > .said") == record.text.strip()
        assert f"in the report of turn {since}." in browser.text("#about > p")


def _often_changed(turns: tuple[TurnRecords, ...]) -> str:
    """Return the place known from the beginning whose record changes most often."""
    first = {place.key for place in turns[0].places if place.text}
    texts = {
        key: {place.text for turn in turns for place in turn.places if place.key == key}
        for key in first
    }
    return max(sorted(first), key=lambda key: len(texts[key]))


def _last_known(turns: tuple[TurnRecords, ...], key: str) -> tuple[PlaceRecord, int]:
    every = [(place, turn.turn) for turn in turns for place in turn.places if place.key == key]
    return next((each for each in reversed(every) if each[0].sighting is Sighting.SEEN), every[-1])


@pytest.mark.release
def test_nobody_is_said_to_own_or_not_to_own_an_unexplored_place(
    tmp_path: Path, browser: Browser
) -> None:
    met = replace(WEB, nodes=(WEB.nodes[0], Node("W2", ())))
    page = tmp_path / "atlas.html"
    page.write_bytes(atlas(heading(2), [turn(1), turn(2, met)], [MOVE], "", ()))
    browser.open(page)
    browser.search("W2")
    assert browser.text("#about > p") == "Without an owner, in the report of turn 2."
    browser.find("#about summary").click()
    browser.find("#list summary").click()
    assert browser.text("#about details li:last-child") == "Turn 1: unexplored"
    browser.find("#turn").send_keys(Keys.HOME)
    assert browser.text("#about > p") == "Unexplored."
    assert browser.text("#status") == "Turn 1. W2, unexplored"
    until("the places are listed", lambda: browser.all("#table td") != [])
    assert [cell.text for cell in browser.all("#table tr:last-child td")][:2] == ["W2", "unknown"]


@pytest.mark.release
def test_a_unit_has_its_history(pages: dict[str, Path], browser: Browser) -> None:
    browser.open(pages["starweb"])
    turns = told("starweb")
    found = {t.turn: u for t in turns for u in t.units if u.name == "F8"}
    browser.search("F8")
    browser.find("#about summary").click()
    runs = [item.text.splitlines()[0] for item in browser.all("#about li > strong")]
    assert sum(_length(run) for run in runs) == len(found)
    assert f"yours at {found[len(turns)].place}" in browser.text("#about li")


def _length(run: str) -> int:
    """Return how many turns ``Turn 3`` or ``Turns 3 to 5`` are."""
    numbers = [int(word) for word in run.split() if word.isdecimal()]
    return numbers[-1] - numbers[0] + 1


@pytest.mark.release
def test_a_search_finds_a_unit_a_place_a_player_and_a_word(
    pages: dict[str, Path], browser: Browser
) -> None:
    browser.open(pages["starweb"])
    last = told("starweb")[-1]
    fleet = next(unit for unit in last.units if unit.key.startswith("F"))
    other = next(p.owner for p in last.places if p.owner not in ("", "ACHERON"))
    for words, subject in ((fleet.key, fleet.key), (fleet.key.lower(), fleet.key), ("w24", "W24")):
        browser.search(words)
        assert browser.text("#subject") == subject
        assert browser.focus() == "subject"
    browser.search(other)
    assert f"of {other}" in browser.text("#results li")
    browser.search("Metal=")
    assert "found" in browser.text("#status")
    browser.search("no such thing")
    assert browser.text("#results") == "Nothing found in turn 12 or before."
    assert browser.complaints() == []


@pytest.mark.release
def test_the_shortest_way_and_what_is_near_are_shown(
    pages: dict[str, Path], browser: Browser
) -> None:
    browser.open(pages["starweb"])
    chart = seen("starweb", 1, TURNS["starweb"])[-1].chart
    one = chart.links[0].one
    near = chart.neighbours(one)
    far = next(
        k for n in sorted(near) for k in sorted(chart.neighbours(n)) if k not in {one, *near}
    )
    browser.find("#ways summary").click()
    browser.find("#from").send_keys(one)
    browser.find("#to").send_keys(far, Keys.ENTER)
    assert "Shortest way: 2 steps." in browser.text("#found")
    assert [each.text for each in browser.all("#found li")][::2] == [one, far]
    reach = browser.find("#reach")
    reach.clear()
    reach.send_keys("1", Keys.ENTER)
    assert {each.text for each in browser.all("#found li")} == near


@pytest.mark.release
def test_the_distance_in_hexes_is_shown(pages: dict[str, Path], browser: Browser) -> None:
    browser.open(pages["fistful"])
    state = states("fistful", TURNS["fistful"])[-1]
    browser.find("#ways summary").click()
    browser.find("#from").send_keys("W1")
    browser.find("#to").send_keys("W9", Keys.ENTER)
    assert f"Distance: {state.apart(1, 9)} hexes." in browser.text("#found")


@pytest.mark.release
def test_a_range_of_the_rules_is_shown(pages: dict[str, Path], browser: Browser) -> None:
    browser.open(pages["fistful"])
    chart = seen("fistful", 1, TURNS["fistful"])[-1].chart
    state = states("fistful", TURNS["fistful"])[-1]
    (supply,) = chart.ranges
    browser.find("#ways summary").click()
    browser.button(supply.title).click()
    inside = [
        star
        for star in state.stars
        if any(state.apart(star, int(key[1:])) <= supply.reach for key in supply.around)
    ]
    assert browser.text("#found") == f"{supply.title}: {len(inside)} places."


# ---- What it writes ----


def _cases() -> Iterator[Case]:
    """Yield an order for each game that the rules accept, and its text."""
    yield Case("starweb", "Move", *_a_move("starweb", "{unit}{target}"))
    yield Case("fistful", "Move", *_a_move("fistful", "{unit}{target}"))
    yield Case("star_empires", "Move", *_a_move("star_empires", "MOVE {unit} TO {target}"))
    yield Case("starfarers", "Travel", *_a_move("starfarers", "{unit}{target}"))
    yield Case("singularity", "Move by warps", *_a_warp())
    yield Case("starweb", "Build", *_a_building(), number="2")


def _a_move(key: str, pattern: str) -> tuple[str, str, str]:
    """Return a unit of the reader, a place that it can go to, and the order."""
    chart = seen(key, 1, TURNS[key])[-1].chart
    for node in chart.nodes:
        for unit in node.units:
            if unit.owner == chart.owners[0] and unit.reach:
                for target in chart.nodes:
                    order = pattern.format(unit=unit.key, target=target.key)
                    if target is not node and _is_accepted(key, order):
                        return unit.key, target.key, order
    raise AssertionError("no unit can move")


def _a_warp() -> tuple[str, str, str]:
    """Return a ship of the reader, a planet that it can warp to, and a part of the order."""
    chart = seen("singularity", 1, TURNS["singularity"])[-1].chart
    for node in chart.nodes:
        for unit in node.units:
            if unit.owner == chart.owners[0] and unit.reach:
                near = [link for link in chart.links if node.key in (link.one, link.other)]
                for link in near:
                    return unit.key, link.other if link.one == node.key else link.one, ""
    raise AssertionError("no ship can move")


def _a_building() -> tuple[str, str, str]:
    """Return a world of the reader that can build two I-Ships, no target, and the order."""
    chart = seen("starweb", 1, TURNS["starweb"])[-1].chart
    mine = [node.key for node in chart.nodes if node.owner == chart.owners[0]]
    key = next(key for key in mine if _is_accepted("starweb", f"{key}B2I"))
    return key, "", f"{key}B2I"


def _is_accepted(key: str, text: str) -> bool:
    rules, state = ruleset(key), states(key, TURNS[key])[-1]
    orders = reader_of(rules.grammar(rules.phase(state))).orders_of(text)
    rulings = rules.validate(state, Seat(1), orders)
    return bool(orders) and all(each.kind is RulingKind.ACCEPTED for each in rulings)


@pytest.mark.parametrize("number", range(6))
def test_an_order_that_is_composed_is_accepted_by_the_check(
    number: int, pages: dict[str, Path], browser: Browser
) -> None:
    case = [*_cases()][number]
    browser.open(pages[case.key])
    browser.search(case.subject)
    browser.button(case.label).click()
    if case.target:
        browser.find("#target").send_keys(case.target)
    if case.number:
        browser.find("#composer input[type=number]").clear()
        browser.find("#composer input[type=number]").send_keys(case.number)
    order = browser.text("#code")
    assert browser.text("#hint") == ""
    browser.find("#add").click()
    sheet = browser.find("#sheet").get_attribute("value") or ""
    assert sheet == f"{order}\n"
    assert order == case.order or not case.order
    assert _is_accepted(case.key, sheet)
    assert browser.complaints() == []


@pytest.mark.release
def test_a_target_is_picked_on_the_map(pages: dict[str, Path], browser: Browser) -> None:
    unit, target, order = _a_move("fistful", "{unit}{target}")
    browser.open(pages["fistful"])
    browser.search(unit)
    browser.button("Move").click()
    browser.find("#whole").click()
    browser.place(target).click()
    assert browser.text("#code") == order
    assert browser.text("#status") == f"Order: {order}"


@pytest.mark.release
def test_an_order_for_a_long_way_ends_where_the_turn_does(
    pages: dict[str, Path], browser: Browser
) -> None:
    browser.open(pages["starweb"])
    chart = seen("starweb", 1, TURNS["starweb"])[-1].chart
    node, unit = next(
        (n, u) for n in chart.nodes for u in n.units if u.owner == "ACHERON" and u.reach == 3
    )
    edge, known = {node.key}, {node.key}
    for _ in range(5):
        edge = {key for each in edge for key in chart.neighbours(each)} - known
        known |= edge
    browser.search(unit.key)
    browser.button("Move").click()
    browser.find("#target").send_keys(min(edge))
    assert browser.text("#code").count("W") == 3
    assert f"{min(edge)} is 5 steps away." in browser.text("#hint")


@pytest.mark.release
def test_what_a_unit_can_reach_is_marked_while_its_order_is_composed(
    pages: dict[str, Path], browser: Browser
) -> None:
    browser.open(pages["starweb"])
    chart = seen("starweb", 1, TURNS["starweb"])[-1].chart
    node, unit = next(
        (n, u) for n in chart.nodes for u in n.units if u.owner == "ACHERON" and u.reach == 3
    )
    near = {node.key}
    for _ in range(unit.reach):
        near |= {key for each in near for key in chart.neighbours(each)}
    browser.search(unit.key)
    assert "It can move 3 steps in a turn." in browser.text("#about")
    browser.button("Move").click()
    marked = {each.get_attribute("textContent") for each in browser.all(".within > .key")}
    assert marked == near - {node.key}
    browser.button("Cancel").click()
    assert browser.all(".within") == []


@pytest.mark.release
def test_an_order_about_another_player_is_offered_once_one_is_known(
    tmp_path: Path, browser: Browser
) -> None:
    give = OrderForm("Give away", "{key}G={owner}", UnitKind.FLEET, Target.OWNER)
    page = tmp_path / "atlas.html"
    for owners, offered in ((("CERES",), ["Move"]), (("CERES", "VESTA"), ["Move", "Give away"])):
        page.write_bytes(
            atlas(heading(1), [turn(1, replace(WEB, owners=owners))], [MOVE, give], "", ())
        )
        browser.open(page)
        browser.search("F3")
        assert [button.text for button in browser.all("#forms button")] == offered


@pytest.mark.release
def test_what_cannot_be_a_target_is_refused(pages: dict[str, Path], browser: Browser) -> None:
    browser.open(pages["starweb"])
    browser.search("F8")
    browser.button("Move").click()
    browser.find("#target").send_keys("W9999")
    assert browser.text("#hint") == "There is no place W9999 for this order."
    assert not browser.find("#add").is_enabled()
    browser.press(Keys.ESCAPE)
    assert not browser.find("#composer").is_displayed()


def test_the_sheet_goes_into_an_email_to_the_reply_address(
    pages: dict[str, Path], browser: Browser
) -> None:
    browser.open(pages["starweb"])
    browser.find("#sheet").send_keys("F8W24", Keys.ENTER, "W87I1I")
    found = urlsplit(browser.find("#mail").get_attribute("href") or "")
    fields = parse_qs(found.query)
    assert (found.scheme, unquote(found.path)) == ("mailto", ORDERS_TO)
    assert fields == {"subject": ["Re: [SW-1 T12] orders"], "body": ["F8W24\r\nW87I1I"]}
    browser.button("Copy").click()
    until("the sheet is copied", lambda: browser.text("#sheet-note").startswith("Copied."))
    browser.driver.refresh()
    assert browser.find("#sheet").get_attribute("value") == "F8W24\nW87I1I"
    browser.button("Clear").click()
    assert browser.find("#sheet").get_attribute("value") == ""


# ---- By keyboard, for screen readers, on a phone ----


def test_an_order_is_composed_by_keyboard_alone(pages: dict[str, Path], browser: Browser) -> None:
    unit, target, order = _a_move("fistful", "{unit}{target}")
    browser.open(pages["fistful"])
    browser.press("/", *unit, Keys.ENTER)
    assert browser.focus() == "subject"
    while browser.focus() != "Move":
        browser.press(Keys.TAB)
    browser.press(Keys.ENTER)
    assert browser.focus() == "target"
    browser.press(*target, Keys.ENTER)
    assert browser.find("#sheet").get_attribute("value") == f"{order}\n"
    assert browser.focus() == "subject"


@pytest.mark.release
def test_the_arrow_keys_go_over_the_map(pages: dict[str, Path], browser: Browser) -> None:
    browser.open(pages["fistful"])
    browser.search("W7")
    browser.driver.execute_script("document.getElementById('map').focus()")
    browser.press(Keys.ARROW_DOWN)
    below = browser.text("#subject")
    assert below != "W7"
    assert browser.text("#status").startswith(f"{below}, ")
    browser.press(Keys.ARROW_UP, Keys.ENTER)
    assert browser.focus() == "subject"
    browser.driver.execute_script("document.getElementById('map').focus()")
    browser.press(Keys.PAGE_UP)
    assert browser.text("#status").startswith("Turn 7. ")
    seen_before = browser.find("#map svg").get_dom_attribute("viewBox")
    browser.press("+")
    assert browser.find("#map svg").get_dom_attribute("viewBox") != seen_before


PAPER = "return getComputedStyle(document.body).backgroundColor"


@pytest.mark.parametrize(
    ("scheme", "paper"), [("dark", "rgb(20, 24, 31)"), ("light", "rgb(255, 255, 255)")]
)
@pytest.mark.parametrize("key", sorted(GAMES))
def test_axe_finds_nothing(
    key: str, scheme: str, paper: str, pages: dict[str, Path], browser: Browser
) -> None:
    browser.prefer(scheme)
    browser.open(pages[key])
    assert browser.driver.execute_script(PAPER) == paper
    assert browser.findings() == []
    unit = next(u for u in told(key)[-1].units if u.owner == _reader(key))
    browser.search(unit.key)
    for selector in ("#told summary", "#list summary", "#ways summary", "#legend summary"):
        browser.click(browser.find(selector))
    for summary in browser.all("#about summary"):
        browser.click(summary)
    browser.click((browser.all("#forms button") or [browser.find("#whole")])[0])
    assert browser.findings() == []
    browser.search("1")
    assert browser.findings() == []


def _reader(key: str) -> str:
    return seen(key, 1, TURNS[key])[-1].chart.owners[0]


@pytest.mark.release
@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_page_fits_on_a_phone(key: str, pages: dict[str, Path], phone: Browser) -> None:
    phone.open(pages[key])
    unit = next(u for u in told(key)[-1].units if u.owner == _reader(key))
    phone.search(unit.key)
    phone.find("#list summary").click()
    until("the places are listed", lambda: phone.all("#table td") != [])
    wide, room = phone.driver.execute_script(
        "return [document.documentElement.scrollWidth, window.innerWidth]"
    )
    assert wide <= room == 390
    assert phone.findings() == []
    assert phone.complaints() == []


@pytest.mark.release
def test_a_tap_selects_a_place(pages: dict[str, Path], phone: Browser) -> None:
    phone.open(pages["fistful"])
    phone.search("W7")
    phone.place("W5").click()
    assert phone.text("#subject") == "W5"


# ---- Names of other players ----


@pytest.mark.parametrize("name", HOSTILE[:7])
def test_a_hostile_name_is_shown_and_does_nothing(
    name: str, tmp_path: Path, browser: Browser
) -> None:
    node = replace(WEB.nodes[0], key=name, owner=name, lines=(name,))
    chart = replace(WEB, nodes=(node,), owners=("CERES", name), links=())
    page = tmp_path / "atlas.html"
    page.write_bytes(atlas(heading(1, name), [turn(1, chart)], [MOVE], "orders", ()))
    browser.open(page)
    browser.find("#list summary").click()
    browser.find("#legend summary").click()
    until("the places are listed", lambda: browser.all("#table button") != [])
    browser.find("#table button").click()
    shown = browser.find("#subject").get_attribute("textContent") or ""
    assert shown == name
    assert browser.all("img") == []
    assert len(browser.all("script")) == 2
    assert browser.complaints() == []
