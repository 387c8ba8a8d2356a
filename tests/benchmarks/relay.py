"""``python -m tests.benchmarks.relay FOLDER PORT``: the minimal work for each letter.

It is accepted by LMTP, committed, answered durably, and the answer is sent to a server at PORT.
"""

import asyncio
import smtplib
import sys
from email.parser import BytesHeaderParser
from itertools import count
from pathlib import Path

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.benchmarks.intake import HOUSE, Least


class _Answering:
    """Stores and answers every letter."""

    def __init__(self, least: Least, port: int) -> None:
        self._least = least
        self._client = smtplib.SMTP("127.0.0.1", port, local_hostname="relay")
        self._numbers = count(1)

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        """Answer a letter, and only then acknowledge it."""
        raw = envelope.content
        assert isinstance(raw, bytes)
        answered = BytesHeaderParser().parsebytes(raw)["Message-ID"]
        text = self._least.answer(self._least.keep(raw), raw)
        head = f"Message-ID: <{next(self._numbers)}@relay>\r\nIn-Reply-To: {answered}\r\n\r\n"
        self._client.sendmail(HOUSE, [envelope.mail_from or HOUSE], (head + text).encode())
        return "250 taken"


async def _serve(handler: _Answering) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: LMTP(handler, hostname="relay"), "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


def main(folder: Path, port: int) -> None:
    """Serve until killed; the port is the first line of stdout."""
    asyncio.run(_serve(_Answering(Least(folder), port)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
