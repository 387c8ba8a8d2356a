"""Our letters in a browser: nothing is wider than the screen but blocks that scroll."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.letters.outgoing.compose import Composer
from referee.letters.outgoing.pairs import Drawn
from referee.reports.html import html
from referee.reports.text import text
from tests.letters.notices import LETTERS
from tests.live.chromium import Browser, chromium
from tests.support.seen_turns import GAMES, seen

pytestmark = [pytest.mark.live, pytest.mark.slow]

COMPOSER = Composer("games@referee.example")
TURN = 12
"""The turn of the golden games whose report is shown."""
WIDER = """
const wide = [];
for (const each of document.querySelectorAll("body *")) {
  const box = each.getBoundingClientRect();
  if (each.closest(".wide, pre.map") && !each.matches(".wide, pre.map")) continue;
  if (box.right > window.innerWidth + 1 || box.left < -1) wide.push(each.outerHTML.slice(0, 90));
}
return wide;
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Return a browser for all letters."""
    with chromium(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


def bodies() -> Iterator[tuple[str, str]]:
    """Yield the HTML of each letter, and of a report of each game."""
    for name, notice in LETTERS.items():
        yield name, COMPOSER.words(notice, "kmtwqzrb").html
    for key in GAMES:
        view = seen(key, 1, TURN)[-1].view
        yield key, Drawn(text(view), html(view)).html


@pytest.mark.parametrize("width", [390, 900])
def test_nothing_is_wider_than_the_screen(browser: Browser, tmp_path: Path, width: int) -> None:
    screen = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    wide, file = {}, tmp_path / "letter.html"
    for name, body in bodies():
        file.write_text(COMPOSER.page(body), "utf-8")
        browser.driver.get(file.as_uri())
        if found := browser.driver.execute_script(WIDER):
            wide[name] = found
    assert wide == {}
    assert browser.complaints() == []
