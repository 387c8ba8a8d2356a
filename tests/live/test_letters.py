"""Our letters in a browser: nothing is wider than the screen but maps that scroll.

On a phone all losses are on the first screen, and a map has a size in which one can read it.
"""

import operator
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.letters.outgoing.compose import Composer, OutgoingFile
from referee.letters.outgoing.pairs import Drawn
from referee.reports.html import html
from referee.reports.picture import png
from referee.reports.symbols import colours_of
from referee.reports.text import text
from referee.rules.news import news_of
from referee.rules.ruleset import Event, Weight
from tests.letters import notices
from tests.letters.notices import LETTERS
from tests.live.chromium import Browser
from tests.rulesets.test_news import readers
from tests.support.golden_states import KEYS, games
from tests.support.seen_turns import GAMES, seen

pytestmark = [pytest.mark.live, pytest.mark.slow]

COMPOSER = Composer("games@referee.example")
TURN = 12
"""The turn of the golden games whose report is shown."""
PLAYED = [(key, name) for key in KEYS for name in games(key)]
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
SCREEN = 664
"""The height of a letter on the screen of a phone, below the bars of its email program."""
WIDER = """
const wide = [];
for (const each of document.querySelectorAll("body *")) {
  const box = each.getBoundingClientRect();
  const frame = each.closest(".picture, pre.map");
  if (frame && frame !== each) continue;
  const cut = each.matches("td, th") && each.scrollWidth > each.clientWidth + 1;
  const out = box.right > window.innerWidth + 1 || box.left < -1;
  if (cut || out) wide.push(`${each.closest(".letter").id}: ${each.outerHTML.slice(0, 90)}`);
}
return wide;
"""


def bodies() -> Iterator[tuple[str, str]]:
    """Yield the HTML of each letter, and of a report of each game."""
    for name, notice in LETTERS.items():
        yield name, COMPOSER.words(notice, "kmtwqzrb").html
    for key in GAMES:
        view = seen(key, 1, TURN)[-1].view
        yield key, Drawn(text(view), html(view)).html


@pytest.mark.release
@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (900, "dark")])
def test_nothing_is_wider_than_the_screen_or_pale(
    browser: Browser, tmp_path: Path, width: int, scheme: str
) -> None:
    browser.prefer(scheme)
    screen = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    # All letters are in one page, one below the other: axe and the browser start once.
    file = tmp_path / "letters.html"
    letters = (f'</div><div class="letter" id="{name}">{body}' for name, body in bodies())
    file.write_text(COMPOSER.page("\n".join(letters)), "utf-8")
    browser.driver.get(file.as_uri())
    assert browser.driver.execute_script(WIDER) == []
    assert [each for each in browser.findings() if each.startswith("color-contrast")] == []
    assert browser.complaints() == []


BOTTOM = """
document.querySelector(".letter").innerHTML = arguments[0];
const news = [...document.querySelectorAll("h2")].find(each => each.textContent === "NEWS");
return news.nextElementSibling.children[arguments[1]].getBoundingClientRect().bottom;
"""


@pytest.mark.release
def test_all_losses_are_on_the_first_screen_of_a_phone(browser: Browser, tmp_path: Path) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    file = tmp_path / "letter.html"
    file.write_text(COMPOSER.page(""), "utf-8")
    browser.driver.get(file.as_uri())
    hidden, seen_losses = [], 0
    for key, name in PLAYED:
        for turn, seat in readers(key, name):
            news = news_of(turn.events, seat)
            losses = sum(event.weight <= Weight.LOSS for event in news)
            if losses:
                report = replace(notices.REPORT, news=tuple(news))
                body = COMPOSER.words(report).html
                bottom = browser.driver.execute_script(BOTTOM, body, losses - 1)
                hidden += [(key, name, turn.turn, seat)] if bottom > SCREEN else []
                seen_losses += losses
    assert hidden == []
    assert seen_losses > 500


STANDS_OUT = """
return ["loss", "bad", "gain"].map(kind => {
  const item = document.querySelector("li." + kind);
  const [style, words] = [item, item.querySelector("p")].map(each => getComputedStyle(each));
  const tint = style.backgroundColor === "rgba(0, 0, 0, 0)" ? 0 : 1;
  return [tint, +words.fontWeight, parseFloat(words.fontSize), parseFloat(style.borderLeftWidth)];
});
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_loss_stands_out_then_a_failed_order_then_other_news(
    browser: Browser, tmp_path: Path, scheme: str
) -> None:
    lost = Event("You lost W1 to MARS.", None, Weight.LOSS)
    report = replace(notices.REPORT, news=(lost, Event("You captured W2.", None, Weight.GAIN)))
    file = tmp_path / "letter.html"
    file.write_text(COMPOSER.page(COMPOSER.words(report).html), "utf-8")
    browser.prefer(scheme)
    browser.driver.get(file.as_uri())
    loss, failed, gain = browser.driver.execute_script(STANDS_OUT)
    assert all(map(operator.gt, loss, failed))
    assert failed > gain


@pytest.mark.release
def test_a_map_below_the_news_fits_the_screen_until_it_is_touched(
    browser: Browser, tmp_path: Path
) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    chart = seen("starweb", 1, TURN)[-1].chart
    picture = OutgoingFile("map.png", "image/png", png(chart, colours_of(chart.owners)))
    (tmp_path / "map.png").write_bytes(picture.content)
    page = COMPOSER.page(COMPOSER.words(notices.REPORT).html, [picture])
    file = tmp_path / "letter.html"
    file.write_text(page.replace("cid:map.png", "map.png"), "utf-8")
    browser.driver.get(file.as_uri())
    image, frame, news = map(browser.find, ("img", ".picture", "ul"))
    assert news.location["y"] < frame.location["y"]
    assert image.size["width"] == frame.size["width"] < PHONE["width"]
    browser.find(".picture summary").click()
    own = int(str(image.get_property("naturalWidth")))
    assert image.size["width"] == own > PHONE["width"]
    assert browser.driver.execute_script(WIDER) == []
