"""Intake of a letter: charged, stored, screened, matched to its sender, read and answered.

No turn is resolved while an earlier letter may still arrive, and nobody can use up the disk that
another person needs: `IntakeRegistration` and `charge` say how.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from enum import Enum
from itertools import chain
from typing import Final

from referee.desk.base import codes, ledger, reply_limits
from referee.desk.base.desk import Desk, Site
from referee.desk.base.identity import Opened
from referee.desk.base.letter_tokens import heading_of, is_variant, owned, tokens_of, typed_text
from referee.desk.base.outbox_writer import Addressing
from referee.desk.base.reply_limits import Asked
from referee.desk.reception.case import Case, Result, apply
from referee.desk.reception.reading import IGNORED, READING
from referee.domain.effort import MOST_OCTETS, MOST_SECONDS, Effort
from referee.domain.mail_transfer import IncomingMail
from referee.domain.shares import Charge, Key, Level, Span, Thing
from referee.domain.tokens import Kind, Right, Token, verify
from referee.errors import LetterTooCostly, OverQuota, StoreBusy
from referee.letters.incoming.authentication import Unanswered
from referee.letters.incoming.decode import decode, decode_covered, recipients_of, writer_of
from referee.letters.incoming.letter import Letter, MailAddress
from referee.letters.incoming.quoting import OwnText, own_text
from referee.letters.incoming.received import network_seen
from referee.letters.incoming.screening import Screening, beginning, is_too_big, screen
from referee.letters.outgoing.notices import OperatorAlert
from referee.letters.outgoing.unread_notices import Quarantined
from referee.store import Session, Store
from referee.store.games import games
from referee.store.letter_states import InboxState, Lane
from referee.store.mail import inbox, intake_leases
from referee.store.models import InboxLetter, Person
from referee.store.people import people

_MOST_SEATS: Final = 12
"""The most seats of one letter; a person plays in fewer games at a time."""

_NAMES_GAME: Final = re.compile(
    r"^[ \t]{0,9}(?:GM[\s,:]{1,9})?(?:GAME[\s,:]{1,9})?[A-Z]{1,5}-[1-9]",
    re.IGNORECASE | re.MULTILINE,
)
"""The beginning of a heading, at the start of a line."""
_UNREAD: Final = (Screening.BOUNCE, Screening.COMPLAINT, *IGNORED)


Replies = Collection[tuple[str, str]]
"""The source and source id of letters that the owners of their reply addresses wrote."""


def accept(
    session: Session, arrival: IncomingMail, key: bytes = b"", replies: Replies = frozenset()
) -> int:
    """Store a letter before it is read, and return its number, the first of several.

    *key* is the site's, and *replies* are from ``charge``. Commit before acknowledging to the
    source. Idempotent: the same letter from the same source returns the same number.
    """
    each = _stored(session, arrival, key, replies)
    return min([inbox.insert(session, *letter) for letter in each])


def accept_all(
    session: Session,
    arrivals: Sequence[IncomingMail],
    key: bytes = b"",
    replies: Replies = frozenset(),
) -> None:
    """Store letters as ``accept`` does, without returning their numbers."""
    inbox.insert_all(
        session, [one for each in arrivals for one in _stored(session, each, key, replies)]
    )


def _stored(
    session: Session, arrival: IncomingMail, key: bytes, replies: Replies
) -> Iterator[tuple[IncomingMail, str, Lane]]:
    """Yield a letter as it is stored, once for each seat, with its writer and its lane."""
    for one in one_for_each_seat(shortened(arrival), key):
        is_reply = (one.source, one.source_id) in replies
        yield one, _writer(one), Lane.REPLIES if is_reply else _lane(session, one, key)


def shortened(arrival: IncomingMail) -> IncomingMail:
    """Return a letter as it is stored: of one that is too big to be read, the beginning."""
    kept = beginning(arrival.raw, arrival.size)
    return arrival if kept is arrival.raw else replace(arrival, raw=kept, size=arrival.octets)


def with_network(arrival: IncomingMail, servers: Collection[str]) -> IncomingMail:
    """Return a letter with the network that one of our mail *servers* saw; it came through them.

    Without that, the network is the one that handed it to us. A letter that nobody else handed to
    us came through a server of ours even if we do not know its name.
    """
    seen = network_seen(arrival.raw, servers) if servers or not arrival.network else None
    return arrival if seen is None else replace(arrival, network=seen)


def open_letter(session: Session, site: Site, row: InboxLetter) -> Opened:
    """Decode a claimed letter, and authenticate its sender if that can make a difference.

    Raises Unanswered while a name server has not answered what that needs, and LetterTooCostly if
    that costs too much.
    """
    effort = site.effort()
    with effort.going():
        return _open(session, site, row, effort)


def _open(session: Session, site: Site, row: InboxLetter, effort: Effort) -> Opened:
    letter = decode(row.raw, row.envelope_recipient)
    screening = screen(letter, row.raw, row.envelope_sender, site.loop_token, row.size)

    def opened(letter: Letter, covers: frozenset[str] | None = None) -> Opened:
        return Opened(row, letter, screening, tokens_of(site, letter, row), covers, effort)

    if screening in _UNREAD or len(letter.senders) != 1:
        return opened(letter)
    if not site.authenticator.has_evidence(row.raw):
        return opened(letter, frozenset())
    address = letter.senders[0].address
    signs = people.signs(session, address)
    if signs is None and (bare := _bare(address)) != address:
        signs = people.signs(session, bare)
    if signs is not None and not is_variant(address, signs):
        unsigned = opened(letter)
        if _NAMES_GAME.search(letter.text) is not None:
            unsigned = replace(unsigned, own=_typed(session, site.key, unsigned))
        if _is_by_player(session, unsigned, address):
            return unsigned
    covers = site.authenticator.vouch(row.raw, row.arrived_at, effort)
    return opened(decode_covered(row.raw, covers) if covers else letter, covers)


def _typed(session: Session, key: bytes, opened: Opened) -> OwnText:
    return typed_text(session, opened.letter, key, opened.effort)


def _is_by_player(session: Session, opened: Opened, address: str) -> bool:
    """Return whether the letter is a player's by its token, which is of the game that it names."""
    owners = opened.tokens.owners(session, heading_of(opened.own).game)
    seats = (each for each in owners if each.is_valid and each.seat and not each.deputy)
    return any(each.is_from(session, address) for each in seats)


def one_for_each_seat(arrival: IncomingMail, key: bytes) -> list[IncomingMail]:
    """Return the letter once for each seat, deputy or offer whose reply address it is sent to.

    *key* signed the tokens. A mail server hands over one letter for each address, but a mailbox
    keeps only one of them.
    """
    named: dict[str, str] = {}
    for address, token in _tokens_to(key, arrival):
        if token.rule.right is Right.SEAT:
            named.setdefault(token.name, address)
    others = (
        replace(arrival, source_id=f"{arrival.source_id}+{number}", recipient=address)
        for number, address in enumerate([*named.values()][1:_MOST_SEATS], start=2)
    )
    return [arrival, *others]


def read_letters(desk: Desk, letters: Sequence[Opened]) -> list[Opened]:
    """Carry out claimed letters and answer them, all in the caller's transaction.

    Each letter sees the effects of the one before it, as if they were committed. Those whose share
    of reading is used up are put back to be read last, unless the right code proves them; return
    the others.
    """
    done = []
    tokens = chain.from_iterable(letter.tokens.sent_to for letter in letters)
    numbers = {token.number for token in tokens if token.kind is Kind.SEAT}
    # The session itself holds no row for long.
    _seats = games.seats_by_id(desk.session, numbers) if len(letters) > 1 else ()
    for letter in letters:
        row = letter.row
        charge = _reading(desk, row, letter.letter.writer, is_proven=bool(letter.is_signed))
        with letter.effort.going():
            is_used_up = charge is not None and ledger.refusal(desk, charge) is not None
            if is_used_up and not _is_by_code(desk, letter):
                inbox.put_last(desk.session, row, desk.now)
            else:
                _read(desk, letter)
                _book(desk, charge, letter.effort.taken)
                done.append(letter)
        games.put_away_others(desk.session)
    return done


def _reading(desk: Desk, row: InboxLetter, writer: str, *, is_proven: bool) -> Charge | None:
    """Return the charge for reading a letter, or None if a player proves it, or if it is last."""
    if row.is_last or row.lane == Lane.REPLIES:
        return None
    payers: ledger.Payers = {Key.ANYBODY: ""}
    if writer:
        is_known = _person(desk.session, writer) is not None
        payers = ledger.payers_of(writer, is_known=is_known, is_proven=is_proven)
    return None if Key.PERSON in payers else Charge(Thing.READING, payers)


def _is_by_code(desk: Desk, opened: Opened) -> bool:
    """Return whether a letter has its sender's security code; count a wrong one."""
    if _NAMES_GAME.search(opened.letter.text) is None:
        return False
    heading = heading_of(_typed(desk.session, desk.site.key, opened))
    return bool(heading.code) and _has_code(desk, opened.row.writer, heading.code)


def _book(desk: Desk, charge: Charge | None, seconds: float) -> None:
    if charge is not None:
        ledger.book(desk, replace(charge, amount=round(seconds * 1000)))


def _read(desk: Desk, opened: Opened) -> None:
    """Carry out a letter and answer it, by the rules of READING."""
    own = opened.own if opened.own.lines else _typed(desk.session, desk.site.key, opened)
    case = Case(desk, replace(opened, own=own))
    result = apply(READING, case)
    if result.state is not InboxState.IGNORED:
        for twin in case.twins:
            twin.end_question(f"a copy of email #{opened.row.id}, which is believed")
    if opened.is_signed:
        people.note_signature(desk.session, opened.letter.senders[0].address)
    _conclude(case, result)


def quarantine(desk: Desk, row: InboxLetter, reference: str, *, too_costly: bool = False) -> None:
    """Quarantine a letter that breaks the reader or is too costly; notify sender and operator.

    The sender gets a reference that is also in the log, and none of their own words. The operator
    gets one alert a day about costly letters, which anybody can write; the summary lists them all.
    """
    why = "needs too much processor time or memory" if too_costly else "could not be read"
    inbox.quarantine(desk.session, row, f"{why}, reference {reference}", desk.now)
    writer = writer_of(row.raw)
    if too_costly:
        _book(desk, _reading(desk, row, writer, is_proven=False), MOST_SECONDS)
    reply_limits.answer_unread(desk, row, writer, Quarantined(reference, too_costly))
    costly: ledger.Payers = {Key.OPERATOR: "too costly"}
    is_new = not too_costly or ledger.is_first_notice(desk, Thing.NOTICE, costly, Span.DAY)
    if desk.site.operator and is_new:
        alert = OperatorAlert(
            subject=f"email #{row.id} is in quarantine",
            what=(
                f"Email #{row.id} {_cause(row, too_costly=too_costly)} and is in quarantine. The "
                "sender was asked to send it again. Everything else is running."
            ),
            reference=reference,
            to_do=(
                f"Find reference {reference} in the log: it names the fault. When the fault is "
                f"fixed, run `referee mail release {row.id}`. `referee mail explain {row.id}` "
                "shows what is known about the email."
            ),
        )
        addressing = Addressing(
            MailAddress("", desk.site.operator), f"alert{row.id}x{row.attempts}"
        )
        reply_limits.answer(desk, [(alert, addressing)], Asked(Thing.WORK, proven=True))


def _cause(row: InboxLetter, *, too_costly: bool) -> str:
    if too_costly:
        memory = MOST_OCTETS // 1_000_000
        return f"needs more than {MOST_SECONDS:g} s of processor time or {memory} MB of memory"
    return f"failed {row.attempts} times"


def _writer(arrival: IncomingMail) -> str:
    return writer_of(arrival.raw) or arrival.sender


def _lane(session: Session, arrival: IncomingMail, key: bytes) -> Lane:
    """Return the lane of a letter that is being stored. Asks no name server."""
    writer, tokens = _writer(arrival), [token for _, token in _tokens_to(key, arrival)]
    if any(_is_by_owner(session, token, writer) for token in tokens):
        return Lane.REPLIES
    # Deputies and newcomers have a reply address before we know theirs.
    is_known = bool(tokens) or _person(session, writer) is not None
    return Lane.KNOWN if is_known else Lane.STRANGERS


def _person(session: Session, address: str) -> Person | None:
    """Return the person with an address, or with the same one without its part after a plus."""
    return people.by_address(session, address) or people.by_address(session, _bare(address))


def _bare(address: str) -> str:
    return re.sub(r"\+[^@]*", "", address)


def _conclude(case: Case, result: Result) -> None:
    row, identity = case.row, result.identity
    game = identity.game if identity is not None else None
    seat = identity.seat if identity is not None else None
    if seat is not None and result.holder is not None:
        # Setting the same again would make the session look for changes to write.
        if seat.heard_at is None:
            seat.heard_at = row.arrived_at
        if row.receipt is None:
            inbox.take_receipt(case.desk.session, row, seat)
    inbox.conclude(
        case.desk.session,
        row,
        result.state,
        result.note,
        case.desk.now,
        # Mail programs write names and addresses into it.
        message_id=None if result.is_erased else case.read.letter.message_id,
        body_hash=case.digest,
        game_id=game.id if game is not None else None,
        seat_number=seat.number if seat is not None else None,
        holder_id=result.holder,
        trust=identity.trust.name.lower() if identity is not None else None,
        covers=" ".join(sorted(case.read.covers or ())),
        asked=result.asked,
    )


LEASE: Final = timedelta(seconds=10)
"""How long after the last renewal turns still wait for an owner."""


class IntakeLeaseExpired(StoreBusy):
    """The lease had expired, so a turn may have been resolved without the letter."""


class IntakeRegistration:
    """The intake lease of an *owner*; without an owner, turns do not wait.

    A process that receives letters registers before the first one can arrive. It then renews its
    lease, stating the time up to which all its letters are stored. Turns wait for it until it
    leaves or the lease expires. A letter stored after that would be in time and yet too late, so it
    counts as arrived when it is stored.
    """

    def __init__(self, store: Store, clock: Callable[[], datetime], owner: str = "") -> None:
        self.owner = owner
        self._store, self._clock = store, clock
        self._since: datetime | None = None
        """When turns last began to wait without a break, or None if that is not known."""

    def tell(self, watermark: datetime) -> None:
        """Renew the lease: all letters up to *watermark* are stored. Raises StoreError."""
        with self._store.claim() as session:
            if intake_leases.tell(session, self.owner, watermark, self._clock(), LEASE):
                # Reset it before the commit lets other threads see the new lease.
                self._since = None
        moment = self._clock()
        # If the clock was set back, turns have waited since it first showed the earlier time.
        self._since = min(self._since or moment, moment)

    def end(self) -> None:
        """End the lease, so that turns no longer wait. Raises StoreError."""
        with self._store.claim() as session:
            intake_leases.leave(session, self.owner)

    def check(self, session: Session, arrivals: Sequence[IncomingMail]) -> None:
        """Raise IntakeLeaseExpired if a turn may have been resolved without one of the letters."""
        if not self.owner:
            return
        is_awaited = intake_leases.is_awaited(session, self.owner)
        # Read it after the lease: ``tell`` resets it before a renewed lease is visible.
        since = self._since
        if not is_awaited or since is None or any(each.arrived_at < since for each in arrivals):
            raise IntakeLeaseExpired("nobody waited for this letter")

    def in_time(self, keep: Callable[[IncomingMail], int]) -> Callable[[IncomingMail], int]:
        """Return *keep* with a retry: if the lease has expired, the letter arrives only now."""

        def kept(arrival: IncomingMail) -> int:
            try:
                return keep(arrival)
            except IntakeLeaseExpired:
                # Other letters in the same batch may have arrived since then.
                self.tell(arrival.arrived_at)
                return keep(replace(arrival, arrived_at=self._clock()))

        return kept

    def others_until(self, besides: str, now: datetime) -> datetime | None:
        """Return the intake watermark of all owners except *besides*, or None without others.

        Raises StoreError.
        """
        with self._store.read() as session:
            others = intake_leases.others(session, besides, now)
        if not others.is_overdue:
            return others.watermark
        with self._store.claim() as session:
            intake_leases.give_up(session, now)
            return intake_leases.others(session, besides, now).watermark


_ROW_OCTETS: Final = 1000
"""The room that a letter takes besides its bytes."""
_LARGE_OCTETS: Final = 64_000
"""The most octets of a letter that is not large, as the table of shares names it."""


class PaidBy(Enum):
    """The payers of a letter that is being stored, in the order in which they are tried.

    So neither a thief of a reply address nor a forged From keeps out the letters of the person.
    """

    REPLY = "its reply address, if the owner wrote, or else as the next"
    NOTHING = "everyone who proves nothing, and its network"
    # It takes time to prove a letter.
    PROOF = "its sender, if a signature or a code proves them"


class ShareUsedUp(OverQuota):
    """The quota is a share, and *refused* says whose. The message does not: it is an address."""

    def __init__(self, refused: Level) -> None:
        self.refused = refused
        super().__init__()


def charge(desk: Desk, arrivals: Sequence[IncomingMail], paid_by: PaidBy = PaidBy.REPLY) -> Replies:
    """Charge letters that are being stored, and return the replies among them.

    One that is no reply by an owner is paid by those who prove nothing, unless its sender is
    proven. A letter that its source delivers again costs nothing. Raises ShareUsedUp if a share is
    used up.
    """
    stored = inbox.known(desk.session, arrivals)
    fresh = [each for each in arrivals if (each.source, each.source_id) not in stored]
    charges = [
        Charge(
            Thing.OCTETS_KEPT,
            _payers(desk, arrival, paid_by),
            len(beginning(arrival.raw, arrival.size)) + _ROW_OCTETS,
        )
        for arrival in fresh
    ]
    ledger.book(desk, *charges)
    refused = ledger.refusal(desk, *(replace(each, amount=0) for each in charges))
    if refused is not None:
        raise ShareUsedUp(refused)
    both = zip(fresh, charges, strict=True)
    return {(each.source, each.source_id) for each, paid in both if Key.SEAT in paid.payers}


def is_proven(store: Store, site: Site, arrival: IncomingMail) -> bool:
    """Return whether a letter proves who wrote it, by a signature or a code, and is no copy.

    Call it outside a transaction. A wrong security code is counted.
    """
    if is_too_big(arrival.octets):
        return False
    raw, writer = arrival.raw, writer_of(arrival.raw)
    # While the name server has not answered, the letter is refused; its source tries again.
    with suppress(Unanswered, LetterTooCostly):
        if site.authenticator.has_evidence(raw) and site.authenticator.vouch(
            raw, arrival.arrived_at, site.effort()
        ):
            with store.read() as session:
                return not inbox.has_read(session, decode(raw).message_id, writer)
    with store.read() as session:
        if people.by_address(session, writer) is None:
            return False
    heading = heading_of(own_text(decode(raw).seen))
    if not heading.code:
        return False
    with store.write() as session:
        return _has_code(Desk(session, site, arrival.arrived_at), writer, heading.code)


def _has_code(desk: Desk, writer: str, code: str) -> bool:
    """Return whether a code is the writer's, and no guess; count a wrong one."""
    person = people.by_address(desk.session, writer)
    if person is None or codes.are_many_wrong(desk.session, person, desk.now):
        return False
    if codes.code_fits(code, person.code_salt, person.code_hash):
        return True
    codes.count_wrong(desk, person)
    return False


def _payers(desk: Desk, arrival: IncomingMail, paid_by: PaidBy) -> ledger.Payers:
    """Return who pays for a letter that is kept, and all like it."""
    site, writer = desk.site, _writer(arrival)
    tokens = _tokens_to(site.key, arrival) if paid_by is PaidBy.REPLY else ()
    for _, token in tokens:
        if _is_by_owner(desk.session, token, writer):
            return ledger.payers_of(writer, is_known=True, is_proven=True, token=token.full_name)
    return ledger.payers_of(
        writer.lower(),
        is_known=True,
        is_proven=paid_by is PaidBy.PROOF,
        network=arrival.network,
        is_large=arrival.octets > _LARGE_OCTETS,
    )


def _tokens_to(key: bytes, arrival: IncomingMail) -> Iterator[tuple[str, Token]]:
    """Yield the reply addresses of ours that a letter is sent to, each with its token."""
    for address in [arrival.recipient] if arrival.recipient else recipients_of(arrival.raw):
        local = address.rpartition("@")[0]
        if (token := verify(local.partition("+")[2], key)) is not None:
            yield address, token


def _is_by_owner(session: Session, token: Token, writer: str) -> bool:
    """Return whether a letter with a token can be its owner's, so that it is charged to them."""
    if token.kind is Kind.SEAT:
        holder = people.holder_of(session, token.number)
        if holder is None or holder.epoch != token.epoch or not token.is_valid_in(holder.turn):
            return False
        if writer.lower() in holder.addresses:
            return True
        # Another address of the player, such as a plus-address.
        each = owned(session, [token])
        return any(one.is_valid and one.is_from(session, writer) for one in each)
    return people.by_address(session, writer) is not None
