"""The composition root: the only module that knows every part, and builds them all."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from referee.clock import now
from referee.desk.base import ledger
from referee.desk.base.desk import Desk, Site
from referee.desk.due.send_limits import Pace
from referee.desk.reception import intake
from referee.desk.reception.intake import IntakeRegistration, PaidBy
from referee.domain.call_outs import Hook
from referee.domain.mail_transfer import IncomingMail, Sender
from referee.domain.outages import RETRIES, OutageLimits
from referee.domain.retention import Retention
from referee.domain.shares import Share
from referee.domain.tokens import named_in, verify
from referee.errors import Finding, ResourceError
from referee.letters.incoming.authentication import Authenticator, no_records
from referee.letters.outgoing.compose import Composer
from referee.mail.call_outs import HookSender, HookTarget
from referee.mail.dns import Lookups, NameServer
from referee.mail.imap import Cursor, ImapMailbox, Position
from referee.mail.imap_folder import ImapAccount
from referee.mail.maildir import MaildirSender, MaildirSource
from referee.mail.security import Login, Security, read_token
from referee.mail.smtp import SmtpSender
from referee.mail.smtpd import MailProtocol, Receiver
from referee.opening import open_store, sizes_of
from referee.plugins import installed_rulesets
from referee.rules.ruleset import Ruleset
from referee.settings import (
    HookSettings,
    ImapSettings,
    ReceiverSettings,
    Settings,
    SmtpSending,
    read_secret,
)
from referee.settings.loading import SECRETS
from referee.settings.model import ANYBODY
from referee.state_dir import (
    SECRET,
    database_file,
    fingerprint,
    is_there,
    lost_key,
    make_key,
    read_key,
    refuse_new_database,
    wrong_key,
)
from referee.store import Session, Store
from referee.store.mail import epochs, mailboxes, secret_marks
from referee.tally import Counted, Tally

Accept = Callable[[IncomingMail], int]
AcceptAll = Callable[[Sequence[IncomingMail]], None]
Rulesets = Mapping[str, Ruleset[Any, Any]]


@dataclass(frozen=True, slots=True)
class App:
    """A site with all its parts.

    *accept* stores a letter from any source and sets *bell*; *accept_all* stores many in one
    transaction, with one wait for the disk.
    """

    settings: Settings
    store: Store
    site: Site
    accept: Accept
    accept_all: AcceptAll
    bell: threading.Event
    maildirs: Mapping[str, MaildirSource]
    mailboxes: Mapping[str, ImapMailbox]
    cursor: Cursor
    taking: IntakeRegistration
    receiver: Receiver | None
    sender: Sender
    caller: HookSender = field(default_factory=lambda: HookSender({}, now))
    """The transport of call-outs."""
    pace: Pace = field(default_factory=Pace)
    tally: Tally = field(default_factory=Tally)

    def open_receiver(self) -> None:
        """Start the receiver, if there is one. Raises ResourceError if it cannot listen."""
        if self.receiver is None or self.settings.receiver is None:
            return
        try:
            self.receiver.start()
        except OSError as error:
            raise _cannot_listen(self.settings.receiver, error) from error

    def close(self) -> None:
        """Close the database; the app cannot be used afterwards."""
        self.store.close()


@dataclass(frozen=True, slots=True)
class StoredCursor:
    """Stores the position of every mailbox in the database."""

    store: Store

    def get(self, source: str) -> Position | None:
        """Return how far the mailbox was read, or None."""
        with self.store.read() as session:
            row = mailboxes.cursor(session, source)
            if row is None:
                return None
            return Position(row.uidvalidity, row.last_uid, tuple(row.withheld))

    def set(self, source: str, position: Position) -> None:
        """Commit how far the mailbox was read."""
        with self.store.write() as session:
            mailboxes.advance(
                session, source, position.uidvalidity, position.last_uid, position.withheld
            )


def build(settings: Settings, rulesets: Rulesets | None = None, *, exactly: bool = False) -> App:
    """Return the app for *settings*, with its database migrated and nothing started.

    *rulesets* are by default the installed ones. With *exactly*, the tables must be exactly those
    of this program, or nothing is migrated. Raises PluginError, ResourceError, SettingsError or
    StoreError if a part is not available; errors of password files are raised together.
    """
    _read_passwords(settings)
    store = open_new(settings, exactly=exactly)
    with ExitStack() as opened:
        opened.callback(store.close)
        app = _build_on(store, settings, rulesets)
        opened.pop_all()
    return app


def _build_on(store: Store, settings: Settings, rulesets: Rulesets | None) -> App:
    bell = threading.Event()
    site = build_site(settings, store, rulesets, bell)
    tally = Tally()
    taking = IntakeRegistration(store, now)
    checked = build_accept(store, site, bell, tally, taking.check)
    size = settings.limits.letter_bytes
    return App(
        settings=settings,
        store=store,
        site=site,
        accept=build_accept(store, site, bell, tally),
        accept_all=build_accept_all(store, site, bell, tally),
        bell=bell,
        maildirs={box.name: MaildirSource(box.name, box.path, size) for box in settings.maildir},
        mailboxes={box.name: ImapMailbox(imap_account(box, size)) for box in settings.imap},
        cursor=StoredCursor(store),
        taking=taking,
        receiver=_receiver(settings, site.key, taking.in_time(checked)),
        sender=build_sender(settings),
        caller=HookSender({hook.name: hook_target(hook) for hook in settings.hook}, now),
        pace=_pace(settings),
        tally=tally,
    )


def retention_of(settings: Settings) -> Retention:
    """Return when old data is compressed or deleted."""
    days = settings.retention
    return Retention(
        bundled=_days(days.bundle_days),
        strangers=_days(days.strangers_days),
        unproven=_days(days.unproven_days),
        ignored=_days(days.ignored_days),
        quarantined=_days(days.quarantined_days),
    )


def _days(count: int) -> timedelta | None:
    return timedelta(days=count) if count else None


def secret_files(settings: Settings) -> Iterator[tuple[str, Path]]:
    """Yield each file of a secret for other servers, with the name of its setting."""
    sections: list[tuple[str, ImapSettings | SmtpSending | HookSettings]] = [
        (f"imap.{box.name}", box) for box in settings.imap
    ]
    sections += [(f"hook.{hook.name}", hook) for hook in settings.hook]
    if isinstance(settings.sending, SmtpSending):
        sections.append(("sending", settings.sending))
    for name, section in sections:
        for kind in sorted(SECRETS & type(section).model_fields.keys()):
            if (file := getattr(section, kind)) is not None:
                yield f"{name}.{kind}", file


def _read_passwords(settings: Settings) -> None:
    """Read every secret for other servers once, to report missing files at the start.

    They are read again when needed, because they can change.
    """
    findings: list[Finding] = []
    for name, file in secret_files(settings):
        try:
            read_secret(file, name)
        except ResourceError as error:
            findings += error.findings
    if findings:
        raise ResourceError(*findings)


def open_new(settings: Settings, *, exactly: bool = False) -> Store:
    """Open and migrate the database, and create database and secret at the first start.

    With *exactly*, tables that would differ from those of this program are not migrated. Raises
    ResourceError if one of both is missing that was there before.
    """
    file = database_file(settings)
    with ExitStack() as stack:
        store = stack.enter_context(closing(open_store(settings)))
        if (file is not None and not is_there(file)) or store.is_empty():
            refuse_new_database(settings)
        store.migrate(exactly=exactly)
        # The secret comes last, so that a first start can be killed at any point.
        if not is_there(settings.state_dir / SECRET):
            if has_letters(store):
                raise lost_key(settings)
            make_key(settings.state_dir)
        refuse_wrong_key(settings, store)
        note_key(settings, store)
        stack.pop_all()
    return store


def refuse_wrong_key(settings: Settings, store: Store) -> None:
    """Raise ResourceError if the secret is not the one in use, or cannot be read."""
    found = fingerprint(read_key(settings.state_dir / SECRET))
    with store.read() as session:
        known = secret_marks.newest(session)
    if known not in (None, found):
        raise wrong_key(settings)


def note_key(settings: Settings, store: Store) -> None:
    """Record the fingerprint of the secret, unless it is recorded. Raises ResourceError."""
    found = fingerprint(read_key(settings.state_dir / SECRET))
    with store.write() as session:
        if secret_marks.newest(session) != found:
            secret_marks.note(session, found, now())


def has_letters(store: Store) -> bool:
    """Return whether a letter has come or gone, or somebody is known."""
    with store.read() as session:
        return secret_marks.is_needed(session)


def build_site(
    settings: Settings,
    store: Store,
    rulesets: Rulesets | None = None,
    bell: threading.Event | None = None,
) -> Site:
    """Return the site of a migrated database. The *bell* rings when a name server has answered.

    Raises PluginError, and ResourceError unless there is a good secret.
    """
    lookups = Lookups((bell or threading.Event()).set, NameServer().records)
    site = settings.site
    with store.read() as session:
        epoch = epochs.current(session)
    listed = frozenset(address.lower() for address in (site.operator, *site.creators))
    return Site(
        rulesets=installed_rulesets() if rulesets is None else rulesets,
        composer=Composer(site.address, site.name),
        key=read_key(settings.state_dir / SECRET),
        address=site.address,
        operator=site.operator,
        creators=None if ANYBODY in site.creators else listed,
        zone=site.zone,
        html=site.html,
        hooks=tuple(Hook(hook.name, frozenset(hook.games)) for hook in settings.hook),
        authenticator=Authenticator(
            address=site.address,
            lookup=lookups.records if settings.trust.dns else no_records,
            authserv_ids=frozenset(settings.trust.authserv_ids),
            sealers=frozenset(settings.trust.sealers),
        ),
        sizes=sizes_of(settings),
        pages=settings.pages.url if settings.pages is not None else "",
        epoch=epoch,
        patience=OutageLimits(
            gap=timedelta(seconds=settings.outage.gap_seconds),
            longest=timedelta(hours=settings.outage.longest_hours),
            retries=RETRIES if settings.receiver is not None else timedelta(0),
        ),
    )


def is_ours(address: str, key: bytes, recipient: str) -> bool:
    """Return whether *recipient* is the referee's *address*, plain or with a token or name of ours.

    Whether the token is still valid is seen when the letter is read, and answered.
    """
    local, _, domain = recipient.lower().rpartition("@")
    our_local, _, our_domain = address.lower().rpartition("@")
    name, plus, token = local.partition("+")
    is_known = not plus or verify(token, key) is not None or named_in(token, key) is not None
    return domain == our_domain and name == our_local and is_known


def build_accept_all(
    store: Store, site: Site, bell: threading.Event | None = None, tally: Tally | None = None
) -> AcceptAll:
    """Return the function that stores letters, all of them before their source is notified.

    Over a quota of the site it stores none and raises OverQuota, after a warning to the operator.
    """

    def accept_all(arrivals: Sequence[IncomingMail]) -> None:
        servers = site.authenticator.authserv_ids
        arrivals = [intake.with_network(arrival, servers) for arrival in arrivals]
        with _within_quotas(store, site, arrivals) as (session, replies):
            intake.accept_all(session, arrivals, site.key, replies)
        _tell(arrivals, bell, tally)

    return accept_all


def build_accept(
    store: Store,
    site: Site,
    bell: threading.Event | None = None,
    tally: Tally | None = None,
    check: Callable[[Session, Sequence[IncomingMail]], None] | None = None,
) -> Accept:
    """Return the function that stores a single letter and returns its number.

    *check* runs in the same transaction and can raise. Quotas are as for ``build_accept_all``.
    """

    def accept(arrival: IncomingMail) -> int:
        arrival = intake.with_network(arrival, site.authenticator.authserv_ids)
        with _within_quotas(store, site, [arrival]) as (session, replies):
            if check is not None:
                check(session, [arrival])
            number = intake.accept(session, arrival, site.key, replies)
        _tell([arrival], bell, tally)
        return number

    return accept


@contextmanager
def _within_quotas(
    store: Store, site: Site, arrivals: Sequence[IncomingMail]
) -> Iterator[tuple[Session, intake.Replies]]:
    """Begin the transaction that stores letters, and charge them; yield the replies among them.

    If a share is used up, a single letter is paid in the next way in which it can be.
    """
    refused: dict[Share, intake.ShareUsedUp] = {}
    for paid_by in PaidBy if len(arrivals) == 1 else (PaidBy.REPLY,):
        if paid_by is PaidBy.PROOF and not intake.is_proven(store, site, arrivals[0]):
            break
        try:
            with store.write() as session:
                yield session, intake.charge(Desk(session, site, now()), arrivals, paid_by)
            return
        except intake.ShareUsedUp as over:
            refused[over.refused.share] = over
    with store.write() as session:
        for each in refused.values():
            ledger.note_refusal(Desk(session, site, now()), each.refused)
    raise next(iter(refused.values()))


def _tell(
    arrivals: Sequence[IncomingMail], bell: threading.Event | None, tally: Tally | None
) -> None:
    """Signal and count stored letters."""
    if bell is not None:
        bell.set()
    if tally is not None:
        for arrival in arrivals:
            tally.add(Counted.RECEIVED, arrival.source)


def imap_account(box: ImapSettings, size_limit: int) -> ImapAccount:
    """Return the account of a mailbox; its password is read when needed."""
    return ImapAccount(
        name=box.name,
        host=box.host,
        port=box.port,
        security=Security(box.security),
        user=box.user,
        login=_login(box),
        password=_proof(box, f"imap.{box.name}"),
        folder=box.folder,
        done_folder=box.done_folder,
        poll_seconds=box.poll_seconds,
        size_limit=size_limit,
    )


def _login(section: ImapSettings | SmtpSending) -> Login:
    return Login.PASSWORD if section.token_command is None else Login.TOKEN


def _proof(section: ImapSettings | SmtpSending, name: str) -> Callable[[], str]:
    """Return the function that reads the password or gets the token of a section."""
    if section.token_command is not None:
        return partial(read_token, section.token_command, f"{name}.token_command")
    if section.password_file is not None:
        return partial(read_secret, section.password_file, f"{name}.password_file")
    return str


def _receiver(settings: Settings, key: bytes, accept: Accept) -> Receiver | None:
    wanted = settings.receiver
    if wanted is None:
        return None
    return Receiver(
        accept,
        clock=now,
        recipients=partial(is_ours, settings.site.address, key),
        protocol=MailProtocol(wanted.protocol),
        host=wanted.host,
        port=wanted.port or 0,
        path=wanted.socket,
        hostname=settings.site.address.partition("@")[2],
        size_limit=settings.limits.letter_bytes,
    )


def build_sender(settings: Settings) -> Sender:
    """Return the mail transport; it connects when there is something to send."""
    sending = settings.sending
    if not isinstance(sending, SmtpSending):
        return MaildirSender(sending.path)
    return SmtpSender(
        sending.host,
        sending.port,
        Security(sending.security),
        sending.user,
        _proof(sending, "sending"),
        login=_login(sending),
        hello_name=settings.site.address.partition("@")[2],
        envelope_sender="" if sending.signed_envelope else settings.site.address,
    )


def hook_target(hook: HookSettings) -> HookTarget:
    """Return a hook's address and format; its files are read when needed."""
    url = (
        (lambda: hook.url or "") if hook.url_file is None else _file_of(hook, "url", hook.url_file)
    )
    secret = str if hook.secret_file is None else _file_of(hook, "secret", hook.secret_file)
    return HookTarget(hook.name, url, secret, hook.format, hook.address)


def _file_of(hook: HookSettings, kind: str, file: Path) -> Callable[[], str]:
    return partial(read_secret, file, f"hook.{hook.name}.{kind}_file")


def _pace(settings: Settings) -> Pace:
    limits = settings.limits
    # A Maildir on this machine needs no limit per domain.
    by_domain = limits.domain_letters_a_minute if settings.sending.kind == "smtp" else None
    return Pace(limits.letters_an_hour, by_domain)


def _cannot_listen(wanted: ReceiverSettings, error: OSError) -> ResourceError:
    if wanted.socket is not None:
        name, place = "receiver.socket", str(wanted.socket)
    else:
        name, place = "receiver.port", f"{wanted.host}, port {wanted.port}"
    return ResourceError(
        Finding(
            f"receiver: cannot listen on {place}: {error.strerror}",
            "choose another place, or stop the program that uses it",
            "setting",
            name,
        )
    )
