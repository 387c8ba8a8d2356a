"""A conversation whose referee publishes pages, and what of them must be nowhere."""

import math
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from referee.daemon.publisher import Publisher
from referee.plugins import installed_rulesets
from referee.testing.conversation import ADDRESS, Conversation

_CODE = re.compile(r"security code[^:\n]{0,40}:\s*([A-Z2-7]{8})\b", re.IGNORECASE)


class Published(Conversation):
    """A conversation with pages, which are written and searched for secrets after every step."""

    folder: Path
    publisher: Publisher | None = None

    def _nothing_unseen(self) -> None:
        """Ignore letters that the conversation is not about."""

    def publish_to(self, folder: Path) -> None:
        """Write the pages into *folder* from now on."""
        app = self.daemon.app
        self.folder = folder
        self.publisher = Publisher(app.store, app.site, folder, self.daemon.guard)

    def _step(self) -> None:
        super()._step()
        if self.publisher is not None:
            self.publisher.advance(self.now, math.inf)
            assert self.publisher.failures == []
            assert self.leaks() == []

    def pages(self) -> dict[str, str]:
        """Return the pages by their paths, without the list of them."""
        return {
            str(file.relative_to(self.folder)): file.read_text()
            for file in sorted(self.folder.rglob("[!.]*"))
            if file.is_file()
        }

    def leaks(self) -> list[tuple[str, str]]:
        """Return the pages that have an address, a reply token or a security code, and which."""
        secrets = [address for address in self.people if address != ADDRESS]
        for mail in self.mailed:
            text = mail.raw.decode()
            secrets += re.findall(r"\+([^@\s>]{6,})@", text)
            secrets += _CODE.findall(text)
        return [
            (path, secret)
            for path, page in self.pages().items()
            for secret in dict.fromkeys(secrets)
            if secret.lower() in page.lower()
        ]


@contextmanager
def publishing(folder: Path) -> Iterator[Published]:
    """Yield a conversation whose pages are in *folder*."""
    with closing(Published(installed_rulesets())) as talk:
        talk.publish_to(folder)
        yield talk
