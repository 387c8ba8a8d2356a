"""``python -m tests.support.pictures`` makes the pictures of the README again, with Chromium.

They show the golden games: a map, an atlas, and the email that the README has as text.
"""

import re
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from referee.reports.picture import png
from tests.live.chromium import chromium
from tests.reports.atlas_pages import golden_page
from tests.support.golden_states import ruleset, states

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "docs" / "pictures"
_EMAIL: Final = """<!DOCTYPE html><meta charset="utf-8"><style>
body {{ margin: 0; background: #dfe3e8; font: 15px/1.45 monospace }}
main {{ margin: 16px; padding: 16px; background: #fff; border-radius: 8px }}
h1 {{ font: bold 17px sans-serif; margin: 0 0 12px; padding-bottom: 12px;
      border-bottom: 1px solid #c8ced6 }}
pre {{ margin: 0; font: inherit; white-space: pre-wrap }}
</style><main><h1>{subject}</h1><pre>{text}</pre></main>"""


def _email() -> str:
    """Return the answer of the README as a mail program shows it."""
    readme = (ROOT / "README.md").read_text("utf-8")
    (email,) = re.findall(r"^```\nSubject: (.*?)^```", readme, re.DOTALL | re.MULTILINE)
    subject, _, text = email.partition("\n")
    return _EMAIL.format(subject=escape(subject), text=escape(text.strip()))


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
    state = states("starfarers", "peace")[-1]
    seat = sorted(state.players)[0]
    (FOLDER / "map.png").write_bytes(png(ruleset("starfarers").chart(state, seat)))
    _shoot(golden_page("starweb", 1, 9), "atlas", 1100, 850, "W87")
    _shoot(_email().encode(), "email", 760, 720)


if __name__ == "__main__":
    main()
