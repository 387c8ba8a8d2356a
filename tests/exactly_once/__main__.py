"""One kind of crash test in its own process, because it forks children."""

import json
import logging
import sys
from collections.abc import Generator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from uuid import uuid4

from referee.domain.mail_transfer import Attempt, Delivery, OutgoingMail
from tests.exactly_once import fetching, sink, starting
from tests.exactly_once.disturbing import Story, same, same_or_one_again, tell
from tests.exactly_once.house import House
from tests.exactly_once.play import STEPS

SMTP = 'kind = "smtp"\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\n'


class Forgetful:
    """A mail transport that does not recognize a letter again: a negative control."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, dispatches: Sequence[OutgoingMail]) -> Generator[Attempt]:
        """Deliver each letter as often as it is sent."""
        for dispatch in dispatches:
            (self._folder / f"{dispatch.number:08}.{uuid4()}").write_bytes(dispatch.raw)
            yield Attempt(dispatch, Delivery.SENT)


def by_maildir(folder: Path, every: int) -> Story:
    """Crash a referee that sends into a Maildir."""
    return tell(House(folder / "house"), same, every)


def by_smtp(folder: Path, every: int) -> Story:
    """Crash a referee that sends through a mail server."""
    with sink.running(folder / "house" / "sink") as port:
        house = House(folder / "house", SMTP.format(port=port), "sink")
        return tell(house, same_or_one_again, every)


def by_a_forgetful_one(folder: Path, every: int) -> Story:
    """Crash a referee with a careless mail transport."""
    house = House(folder / "house")
    house.app = replace(house.app, sender=Forgetful(house.folder / "sent" / "new"))
    return tell(house, same, every, STEPS[:1])


def from_nothing(folder: Path, every: int) -> Story:
    """Crash the first start of a referee."""
    return starting.tell(folder / "house", every)


def by_imap(folder: Path, every: int) -> Story:
    """Crash a referee that fetches letters over IMAP."""
    return fetching.tell(folder / "house", every)


WAYS = {
    "imap": by_imap,
    "maildir": by_maildir,
    "smtp": by_smtp,
    "forgetful": by_a_forgetful_one,
    "from nothing": from_nothing,
}


def main(way: str, folder: str, every: str) -> None:
    """Print the story as JSON."""
    logging.disable(logging.CRITICAL)
    json.dump(asdict(WAYS[way](Path(folder), int(every))), sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
