"""Quotas: how much of the disk letters can take in a day, by sender and in all.

Nobody can use up what another person needs. A reply to a letter of ours from an address of its
owner is charged to the seat, deputy or confirmation that its address names, any other letter to its
From. Those who prove nothing share a third of what is left for everyone; so does each domain of
those who prove their From. Such a letter is charged to its person when the quota of its From is
used up, since anybody can forge that. To prove a letter takes time, so it is not done before.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from referee.desk.base import codes, ledger
from referee.desk.base.codes import code_fits
from referee.desk.base.desk import Desk, Site
from referee.desk.base.letter_tokens import heading_of, owned
from referee.domain.mail_transfer import IncomingMail
from referee.domain.shares import Charge, Level, Thing
from referee.domain.tokens import Kind, Token, verify
from referee.errors import OverQuota
from referee.letters.incoming.authentication import Unanswered
from referee.letters.incoming.decode import decode, recipients_of, writer_of
from referee.letters.incoming.quoting import own_text
from referee.letters.incoming.screening import beginning, is_too_big
from referee.store import Session, Store
from referee.store.mail import inbox
from referee.store.people import people

_ROW_OCTETS: Final = 1000
"""The room that a letter takes besides its bytes."""


class ShareUsedUp(OverQuota):
    """The quota is a share, and *refused* says whose. The message does not: it is an address."""

    def __init__(self, refused: Level) -> None:
        self.refused = refused
        super().__init__()


def charge(desk: Desk, arrivals: Sequence[IncomingMail], *, are_proven: bool = False) -> None:
    """Charge letters that are being stored. Raises ShareUsedUp if a share is used up.

    A letter that its source delivers again costs nothing.
    """
    stored = inbox.known(desk.session, arrivals)
    charges = [
        Charge(
            Thing.OCTETS_KEPT,
            _payers(desk, arrival, are_proven=are_proven),
            len(beginning(arrival.raw, arrival.size)) + _ROW_OCTETS,
        )
        for arrival in arrivals
        if (arrival.source, arrival.source_id) not in stored
    ]
    ledger.book(desk, *charges)
    refused = ledger.refusal(desk, *(replace(each, amount=0) for each in charges))
    if refused is not None:
        raise ShareUsedUp(refused)


def is_proven(store: Store, site: Site, arrivals: Sequence[IncomingMail]) -> bool:
    """Return whether a single letter proves that somebody we know wrote it, and is no copy.

    Call it outside a transaction. A wrong security code is counted.
    """
    if len(arrivals) != 1 or is_too_big(arrivals[0].octets):
        return False
    raw, writer = arrivals[0].raw, writer_of(arrivals[0].raw)
    with store.read() as session:
        if people.by_address(session, writer) is None:
            return False
    letter = decode(raw)
    # While the name server has not answered, the letter is refused; its source tries again.
    with suppress(Unanswered):
        if site.authenticator.has_evidence(raw) and site.authenticator.vouch(
            raw, arrivals[0].arrived_at
        ):
            with store.read() as session:
                return not inbox.has_read(session, letter.message_id, writer)
    heading = heading_of(own_text(letter.text))
    if not heading.code:
        return False
    with store.write() as session:
        return _has_code(Desk(session, site, arrivals[0].arrived_at), writer, heading.code)


def _has_code(desk: Desk, writer: str, code: str) -> bool:
    """Return whether a code is the writer's, and no guess; count a wrong one."""
    person = people.by_address(desk.session, writer)
    if person is None or codes.are_many_wrong(desk.session, person, desk.now):
        return False
    if code_fits(code, person.code_salt, person.code_hash):
        return True
    codes.count_wrong(desk, person)
    return False


def _payers(desk: Desk, arrival: IncomingMail, *, are_proven: bool) -> ledger.Payers:
    """Return who pays for a letter that is kept: its seat or its From, and all like it."""
    site, writer = desk.site, writer_of(arrival.raw) or arrival.sender
    for token in tokens_to(site.key, arrival):
        if is_by_owner(desk.session, token, writer):
            return ledger.payers_of(writer, is_known=True, is_proven=True, token=token.name)
    return ledger.payers_of(writer.lower(), is_known=True, is_proven=are_proven)


def tokens_to(key: bytes, arrival: IncomingMail) -> list[Token]:
    """Return the tokens of the reply addresses of ours that a letter is sent to."""
    addresses = [arrival.recipient] if arrival.recipient else recipients_of(arrival.raw)
    locals_ = (address.lower().rpartition("@")[0] for address in addresses)
    found = (verify(local.partition("+")[2], key) for local in locals_)
    return [token for token in found if token is not None]


def is_by_owner(session: Session, token: Token, writer: str) -> bool:
    """Return whether a letter with a token can be its owner's, so that it is charged to them."""
    if token.kind is Kind.SEAT:
        holder = people.holder_of(session, token.number)
        if holder is None or holder.epoch != token.epoch or not token.is_valid_in(holder.turn):
            return False
        return writer.lower() in holder.addresses or _is_by_player(session, token, writer)
    return people.by_address(session, writer) is not None


def _is_by_player(session: Session, token: Token, writer: str) -> bool:
    """Return whether a letter is from another address of the player, such as a plus-address."""
    return any(each.is_valid and each.is_from(session, writer) for each in owned(session, [token]))
