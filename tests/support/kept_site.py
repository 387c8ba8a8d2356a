"""``python -m tests.support.kept_site`` keeps a site of this version, as a release does once.

The files in tests/store/kept are named like the newest migration: the SQLite database and its
secret, the same site as a dump of PostgreSQL, and the settings. No later version changes them. A
game of StarWeb has five resolved turns; an absence, a vote and standing orders are in effect, and
the last reports, with their order sheets and reply addresses, wait for answers.
"""

import gzip
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from sqlalchemy import make_url, select

from referee.app import App
from referee.domain.mail_transfer import IncomingMail
from referee.resources import folder
from referee.store.models import OutboxLetter
from referee.testing.correspondents import Correspondent, Received, signed
from tests.live import postgresql
from tests.support.hourly import HOUR, NOON, SETTINGS, begin, installed, play, write

KEPT: Final = Path(__file__).parents[1] / "store" / "kept"
FRODO: Final = "frodo@shire.example"
_REPLIES: Final = {
    FRODO: "{order}\nVOTE EXTEND 2 hours\nABSENT TO 20 September\nPRESS TO GM\nHello.\nEND",
    "sam@shire.example": "STANDING\n{order}\nEND",
}
"""The replies to the reports of the sixth turn, with an order that the sheet suggests."""
LAST: Final = NOON + 5 * HOUR + HOUR / 2
"""When the site was last at work, half an hour before the next deadline."""


def last_report(app: App, address: str) -> Received:
    """Return the last report that was sent to an address."""
    found = (OutboxLetter.recipient == address, OutboxLetter.kind == "Report")
    query = select(OutboxLetter).where(*found).order_by(OutboxLetter.id.desc())
    with app.store.read() as session:
        return Received(session.scalars(query.limit(1)).one().raw)


def suggestion(report: Received) -> str:
    """Return the first order that the sheet of a report suggests."""
    found = re.search(r"^ *# (W\d+B\d+I)\b", report.text, re.M)
    assert found is not None
    return found[1]


def answer(app: App, address: str, text: str, at: datetime) -> None:
    """Receive a reply to the last report of an address."""
    raw = Correspondent(address).reply(last_report(app, address), text, at, {})
    app.accept(IncomingMail("pipe", f"{at} {address}", signed(raw), at, address))


def _play() -> None:
    """Play the game of the site in the working folder."""
    with installed() as app:
        begin(app)
        play(app, hours=1, since=NOON + 4 * HOUR)
        write(app, ("rosie@bywater.example", "STANDBY ALL"), ("you@example.org", "GM SW-1\nSTATUS"))
        for address, text in _REPLIES.items():
            order = suggestion(last_report(app, address))
            answer(app, address, text.format(order=order), LAST)
        play(app, hours=0, since=LAST)


def _made(place: Path, settings: str) -> Path:
    """Play a site in a new folder, and return its secret."""
    place.mkdir()
    os.chdir(place)
    (place / "referee.toml").write_text(settings)
    _play()
    return place / "state" / "secret"


def _dump(url: str, programs: Path) -> bytes:
    at = make_url(url)
    command = [programs / "pg_dump", "--inserts", "--no-owner", "-h", at.host, "-p", str(at.port)]
    done = subprocess.run(
        [*map(str, command), "-U", str(at.username), str(at.database)],
        stdout=subprocess.PIPE,
        check=True,
    )
    # psql alone knows its commands, which begin with a backslash.
    return b"\n".join(each for each in done.stdout.split(b"\n") if not each.startswith(b"\\"))


def _files(place: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a site that is played on each database, by the ends of their names."""
    yield "secret", _made(place / "sqlite", SETTINGS).read_bytes()
    yield "db.gz", gzip.compress((place / "sqlite/state/referee.db").read_bytes(), mtime=0)
    with postgresql.running() as server:
        url = server.database("kept")
        settings = f'{SETTINGS}[database]\nurl = "{url}"\n'
        yield "sql.secret", _made(place / "postgresql", settings).read_bytes()
        yield "sql.gz", gzip.compress(_dump(url, server.programs), mtime=0)
    yield "toml", (folder("deploy") / "referee.toml").read_bytes()


def keep(into: Path = KEPT) -> None:
    """Write the files. Raises FileExistsError if this version has kept a site already."""
    revision = max(each.name for each in (folder("migrations") / "versions").glob("[0-9]*.py"))[:4]
    place = Path(tempfile.mkdtemp())
    try:
        for end, content in _files(place):
            with (into / f"{revision}.{end}").open("xb") as file:
                file.write(content)
    finally:
        os.chdir(into)
        shutil.rmtree(place)


if __name__ == "__main__":
    keep()
