"""A game for one: a whole referee in this process, without a mail server, and its player."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from email.utils import make_msgid
from pathlib import Path
from typing import Final

from referee import instance_lock
from referee.app import App, build
from referee.clock import now
from referee.daemon import Daemon
from referee.domain.mail_transfer import IncomingMail
from referee.errors import FIX, Finding, PluginError
from referee.settings import Settings
from referee.settings.model import (
    LimitsSettings,
    MaildirSending,
    OutageSettings,
    SiteSettings,
    TrustSettings,
)
from referee.state_dir import make_state
from referee.store.games import games
from referee.store.models import GameStatus
from referee.testing.correspondents import MAIL_SERVER, Correspondent, Received, proven
from referee.testing.probe import RulesProbe, tried_rulesets

_ADDRESS: Final = "games@referee.example"
_PLAYER: Final = "you@example.org"
_NO_LIMIT: Final = 1_000_000
_MOST_ROUNDS: Final = 3


class GameForOne:
    """A player who writes to a referee of their own, and gets its letters from a Maildir."""

    def __init__(self, app: App, mailed: Path, probes: Mapping[str, RulesProbe]) -> None:
        self._app, self._daemon, self._probes = app, Daemon(app), probes
        self._player = Correspondent(_PLAYER)
        self._mailed = mailed
        self._seen: set[Path] = set()

    @property
    def is_going(self) -> bool:
        """Whether there is a game that has not ended."""
        with self._app.store.read() as session:
            every = games.listing(session)
            return any(game.status is not GameStatus.ENDED for game in every)

    @property
    def last(self) -> Received | None:
        """The last letter to the player, if any has come."""
        return self._player.got[-1] if self._player.got else None

    def arrived(self) -> list[Received]:
        """Do everything due; return the letters to the player since the last call.

        Raises PluginError if a function of the rules fails.
        """
        for _ in range(_MOST_ROUNDS):
            self._daemon.step(now())
            self._daemon.send(now())
            if faults := [fault for each in self._probes.values() for fault in each.faults]:
                raise PluginError(*(Finding(fault, FIX) for fault in faults))
            due = self._daemon.next_due(now())
            if due is None or due > now():
                break
        fresh = sorted(set((self._mailed / "new").glob("*")) - self._seen)
        self._seen.update(fresh)
        letters = [Received(file.read_bytes()) for file in fresh]
        own = [letter for letter in letters if letter.recipient == _PLAYER]
        self._player.got += own
        return own

    def write(self, text: str, *, is_reply: bool = True) -> None:
        """Send a letter: a reply to the last one that came, or a new one."""
        number = make_msgid(domain="example.org")
        headers, recipient = {"Message-ID": number}, _ADDRESS
        if is_reply and self.last is not None:
            raw, recipient = self._player.reply(self.last, text, now(), headers), self.last.reply_to
        else:
            raw = self._player.letter(_ADDRESS, "", text, now(), headers)
        self._app.accept(IncomingMail("play", number, proven(raw), now(), _PLAYER, recipient))


@contextmanager
def opened(folder: Path) -> Iterator[GameForOne]:
    """Open the games for one in *folder*, which need not exist.

    Raises ResourceError or StoreError if that is not possible, or if they are open already.
    """
    settings = _settings(folder)
    make_state(folder)
    make_state(settings.state_dir)
    probes = tried_rulesets()
    with instance_lock.running(settings), closing(build(settings, probes)) as app:
        # The one who writes sits at the terminal, and is no program that answers our answers.
        own = replace(app, site=replace(app.site, is_for_one=True))
        yield GameForOne(own, folder / "emails", probes)


def _settings(folder: Path) -> Settings:
    """Return the settings, with other names of folders than those of a site."""
    return Settings(
        state_dir=folder / "game",
        # The errors of a creator repeat the words that they are about. A terminal shows the text.
        site=SiteSettings(
            address=_ADDRESS, operator="operator@referee.example", creators=(_PLAYER,), html=False
        ),
        sending=MaildirSending(kind="maildir", path=folder / "emails"),
        trust=TrustSettings(dns=False, authserv_ids=(MAIL_SERVER,)),
        limits=LimitsSettings(
            answers_an_hour=_NO_LIMIT,
            letters_an_hour=_NO_LIMIT,
            domain_letters_a_minute=_NO_LIMIT,
        ),
        # The player's pauses are no outages, until they come back on another day.
        outage=OutageSettings(gap_seconds=86_400, longest_hours=8760),
    )
