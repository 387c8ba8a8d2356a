"""``python -m tests.support.pictures`` makes the pictures of the README again, with Chromium.

They show the golden games, a map and an atlas, and one of the letters.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from referee.letters.outgoing.compose import Composer
from referee.reports.picture import png
from referee.reports.symbols import colours_of
from tests.letters.notices import LETTERS
from tests.live.chromium import chromium
from tests.reports.atlas_pages import golden_page
from tests.support.golden_states import ruleset, states

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "docs" / "pictures"


def galaxies() -> bytes:
    """Return the map at the end of a golden game of Starfarers."""
    state = states("starfarers", "peace")[-1]
    chart = ruleset("starfarers").chart(state, sorted(state.players)[0])
    return png(chart, colours_of(chart.owners))


def _email() -> bytes:
    """Return the answer to an email with orders as an email program shows its HTML."""
    composer = Composer("games@referee.example")
    return composer.page(composer.words(LETTERS["acknowledgement"], "kmtwqzrb").html).encode()


def _shoot(page: bytes, name: str, width: int, height: int, wanted: str = "") -> None:
    """Write the picture of a page in a window of that size, after a search in it."""
    with TemporaryDirectory() as folder, chromium(Path(folder)) as browser:
        file = Path(folder) / "page.html"
        file.write_bytes(page)
        browser.driver.set_window_size(width, height)
        browser.open(file)
        if wanted:
            browser.search(wanted)
        browser.driver.save_screenshot(str(FOLDER / f"{name}.png"))


def main() -> None:
    """Write the pictures."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "map.png").write_bytes(galaxies())
    _shoot(golden_page("starweb", 1, 9), "atlas", 1100, 850, "W87")
    _shoot(_email(), "email", 760, 900)


if __name__ == "__main__":
    main()
