"""A flood of forged letters, and how long the answers to players take during it.

``python -m tests.benchmarks.flood [LETTERS]``. Half of the forged letters have an address that
nobody knows in From, and half the address of a player. They come by LMTP as fast as they are
accepted; the letters of the players, which are replies with orders, each after the answer to the
one before.
"""

import smtplib
import sys
import tempfile
import time
from email.parser import BytesParser
from itertools import count, cycle, islice
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Final

from referee.testing.correspondents import Received
from tests.benchmarks.daemon import Server, referee
from tests.benchmarks.storm import until
from tests.benchmarks.timing import size

LETTERS: Final = 10_000
"""The number of forged letters."""
ADDRESS: Final = "games@referee.example"


def forged(number: int, player: str) -> bytes:
    """Return a forged letter that asks for something and has orders."""
    sender = player if number % 2 else f"{number}@d{number % 97}.example"
    return (
        f"From: {sender}\r\nTo: {ADDRESS}\r\nSubject: [SW-1]\r\n"
        f"Message-ID: <{number}@flood.example>\r\n\r\nJOIN SW-1 X{number}\r\nENDING 1000\r\n"
    ).encode()


def flood(server: Server, players: list[str], number: int) -> None:
    """Send forged letters as fast as they are accepted."""
    with smtplib.LMTP("127.0.0.1", server.port, timeout=60) as client:
        for at, player in zip(range(number), cycle(players), strict=False):
            client.sendmail("flood@example.org", [ADDRESS], forged(at, player))


def answered(server: Server, raw: bytes, number: int) -> float:
    """Send a letter of a player, and return how many seconds its answer took."""
    begun, fresh = time.time(), raw.replace(b"Message-ID: <", b"Message-ID: <%d." % number, 1)
    with smtplib.LMTP("127.0.0.1", server.port, timeout=60) as client:
        client.sendmail("player@example.org", [Received(raw).recipient], fresh)
    until(lambda: any(each.answers.startswith(f"<{number}.") for each in server.log.taken()), 0.01)
    return time.time() - begun


def main(number: int) -> None:
    """Print how long the answers to players take, without and with a flood."""
    with tempfile.TemporaryDirectory() as folder, referee(Path(folder)) as (server, letters):
        replies = zip(cycle(letters), count(), strict=False)
        quiet = [answered(server, raw, at) for raw, at in islice(replies, size(30, 1))]
        players = [BytesParser().parsebytes(raw)["From"] for raw in letters]
        attack, cpu = Thread(target=flood, args=(server, players, number)), server.cpu()
        attack.start()
        told = list[float]()
        while attack.is_alive() or not told:
            told.append(answered(server, *next(replies)))
        spent = (server.cpu() - cpu) / number
    sys.stdout.write(
        f"{number} forged letters, and {len(told)} of players\n"
        f"  {1000 * median(quiet):9.2f} ms  to the answer to a player before\n"
        f"  {1000 * median(told):9.2f} ms  during the flood, the longest {max(told):.1f} s\n"
        f"  {1000 * spent:9.2f} ms  of a core for each letter\n"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else LETTERS)
