"""The world of a soak test: a referee on disk that dies and restarts, its mail, and a clock."""

import os
import random
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import select

from referee.app import App, StoredCursor, build, build_accept, build_accept_all
from referee.daemon import Daemon
from referee.domain.outages import OutageLimits
from referee.mail.imap import ImapMailbox
from referee.mail.imap_folder import ImapAccount
from referee.mail.maildir import MaildirSource
from referee.mail.security import Security
from referee.mail.smtp import SmtpSender
from referee.plugins import installed_rulesets
from referee.settings import load
from referee.store import Store
from referee.store.letter_states import OutboxState
from referee.store.models import OutboxLetter
from referee.testing.conversation import take_rounds
from referee.testing.correspondents import Received
from referee.testing.mailbox import Mailbox
from tests.exactly_once.house import MAILDIR, SETTINGS
from tests.mail.scripted_imap import Once
from tests.soak.players import GM, OPERATOR, Mailed, Master, Player, tables
from tests.soak.trouble import (
    Condition,
    FragileComposer,
    FragileMailbox,
    FragilePost,
    FragileRules,
    FragileSender,
    FragileStore,
    Killed,
    Trouble,
)

BEGINNING: Final = datetime(2026, 9, 1, 12, tzinfo=UTC)
BEAT: Final = timedelta(minutes=30)
UNWRITABLE: Final = "the database cannot be written"
"""The subject of the alert that goes out although the disk is full."""
_PATIENCE: Final = OutageLimits(gap=timedelta(minutes=70))
"""The clock of a soak test advances by half hours, so that shorter gaps are no outages."""


class World:
    """A referee and all its correspondents, from a seed, with a simulated clock."""

    def __init__(self, folder: Path, games: int, seed: int) -> None:
        for name in ("tmp", "new", "cur"):
            (folder / "incoming" / name).mkdir(parents=True)
        (folder / "referee.toml").write_text(SETTINGS + MAILDIR)
        self.folder, self.now, self.started = folder, BEGINNING, 0
        self.trouble = Trouble(seed)
        self.dice = random.Random(f"world {seed}")
        self.tables = tables(games, seed)
        self.master = Master()
        self.players: dict[str, Player] = {
            player.writer.address: player for table in self.tables for player in table.players
        }
        self._way: list[Mailed] = []
        self._is_silent = False
        self.written: Counter[bytes] = Counter()
        """How often each letter was delivered to the referee."""
        self.got: Counter[str] = Counter()
        """How often each of the referee's letters was received, by Message-ID."""
        self.alerts: set[str] = set()
        """The letters, by Message-ID, that say that nothing can be written, not even they."""
        self.post = FragilePost(self.trouble)
        self.box = FragileMailbox(self.trouble)
        self.app = self._build()
        self.daemon = self._start()
        # The robots are no part of the referee, and work when it does not.
        robots = replace(self.app.site, rulesets=installed_rulesets())
        self.mailbox = Mailbox(Store(str(self.app.store.url)), robots)
        self.post.__enter__()
        self.box.__enter__()

    def close(self) -> None:
        """Close everything."""
        self.mailbox.store.close()
        self.app.close()
        self.post.__exit__(None, None, None)
        self.box.__exit__(None, None, None)

    def write(self, mailed: Mailed) -> None:
        """Send a letter."""
        self._way.append(mailed)

    def silence(self) -> None:
        """Stop everybody from writing, and discard letters in transit."""
        self._is_silent = True
        self._way.clear()

    def pass_to(self, moment: datetime) -> None:
        """Advance the time, with everybody's actions."""
        while self.now < moment:
            self.now += BEAT
            self.trouble.draw(self.now)
            self._deliver()
            if not self.trouble.is_active(Condition.AWAY):
                self._work()
            self._read()

    def _build(self) -> App:
        rulesets = {
            key: FragileRules(rules, self.trouble) for key, rules in installed_rulesets().items()
        }
        app = build(load(self.folder / "referee.toml"), rulesets)
        app.store.close()
        store = FragileStore(f"sqlite:///{self.folder}/state/referee.db", self.trouble)
        composer = FragileComposer(app.site.address, trouble=self.trouble)
        sender = SmtpSender("127.0.0.1", self.post.port, Security.NONE, timeout_seconds=5)
        account = ImapAccount(
            "games", "127.0.0.1", "referee", str, self.box.port, Security.NONE, timeout_seconds=5
        )
        drawn = random.Random(self.started)
        site = replace(
            app.site, composer=composer, patience=_PATIENCE, entropy=lambda n: drawn.randbytes(n)
        )
        return replace(
            app,
            store=store,
            site=site,
            sender=FragileSender(sender, self.trouble),
            accept=build_accept(store, site, app.bell, app.tally),
            accept_all=build_accept_all(store, site, app.bell, app.tally),
            maildirs={"orders": MaildirSource("orders", self.folder / "incoming")},
            mailboxes={"games": ImapMailbox(account)},
            cursor=StoredCursor(store),
        )

    def _start(self) -> Daemon:
        """Start the referee, which releases old claims under its name."""
        self.started += 1
        daemon = Daemon(self.app, owner="soak:1")
        daemon.reclaim_stale_claims()
        return daemon

    def _work(self) -> None:
        """Run the referee for this tick, restarting it as often as necessary."""
        behind = timedelta(hours=5) if self.trouble.is_active(Condition.CLOCK) else timedelta(0)
        while True:
            try:
                self.daemon.sources.watch("games", Once(), lambda: self.now - behind)
                take_rounds(self.daemon, self.now - behind)
                self.daemon.send(self.now - behind)
            except Killed:
                self._forget_what_went()
                self.app.close()
                self.app = self._build()
                self._restart()
            else:
                return

    def _forget_what_went(self) -> None:
        """Record the letters that were accepted, even if the program died before recording it."""
        taken = {*self.got, *(Received(raw).message_id for raw in self.post.letters)}
        with self.app.store.read() as session:
            waiting = select(OutboxLetter.message_id).where(
                OutboxLetter.state == OutboxState.WAITING
            )
            self.trouble.unsure.update(taken.intersection(session.scalars(waiting)))

    def _restart(self) -> None:
        while True:
            try:
                self.daemon = self._start()
            except Killed:
                continue
            else:
                return

    def _deliver(self) -> None:
        """Deliver the letters that arrive by now into the referee's Maildir or mailbox."""
        here, away = self.folder / "incoming", self.folder / "away"
        is_away = self.trouble.is_active(Condition.MAILDIR)
        if is_away and here.exists():
            here.rename(away)
        if not is_away and away.exists():
            away.rename(here)
        arriving = [mailed for mailed in self._way if mailed.at <= self.now]
        self._way = [mailed for mailed in self._way if mailed.at > self.now]
        for mailed in sorted(arriving, key=lambda each: each.at):
            self.written[mailed.raw] += 1
            number = self.written.total()
            if self.dice.random() < 1 / 2:
                self.box.deliver(mailed.raw, self.now)
                continue
            file = (away if is_away else here) / "new" / f"{number:08}.host"
            file.write_bytes(mailed.raw)
            os.utime(file, (self.now.timestamp(), self.now.timestamp()))

    def _read(self) -> None:
        """Deliver everybody's mail to them, and collect what they write."""
        for raw in self.post.taken():
            letter = Received(raw)
            self.got[letter.message_id] += 1
            is_again = self.got[letter.message_id] > 1
            if letter.recipient == OPERATOR and letter.subject == UNWRITABLE:
                self.alerts.add(letter.message_id)
            if self._is_silent or is_again or letter.recipient == OPERATOR:
                continue
            reader = self.master if letter.recipient == GM else self.players[letter.recipient]
            self._way += reader.read(letter, self.now, self.mailbox)
