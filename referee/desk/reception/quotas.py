"""Quotas: how much of the disk letters can take in a day, by sender and in all.

Nobody can use up what another person needs. A reply to a letter of ours from an address of its
owner is charged to the seat, deputy or confirmation that its address names, any other letter to its
From. Half of what the site takes is reserved for replies.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Final

from referee.desk.base.desk import Desk
from referee.desk.base.letter_tokens import is_from, valid_seat
from referee.desk.base.outbox_writer import Addressing, post
from referee.domain.mail_transfer import IncomingMail
from referee.domain.trust import SeatToken, Token, verify
from referee.errors import OverQuota
from referee.letters.incoming.decode import recipients_of, writer_of
from referee.letters.incoming.kept import beginning
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.notices import OperatorAlert
from referee.store import Session
from referee.store.mail import inbox, intake_counts
from referee.store.people import people

_ROW_OCTETS: Final = 1000
"""What a letter takes besides its bytes."""
_REPLIES: Final = "replies"
_OTHERS: Final = "others"


def charge(desk: Desk, arrivals: Sequence[IncomingMail]) -> None:
    """Charge letters that are being stored. Raises OverQuota if a quota is used up.

    A letter that its source delivers again costs nothing.
    """
    octets = Counter[str]()
    stored = inbox.known(desk.session, arrivals)
    for arrival in arrivals:
        if (arrival.source, arrival.source_id) in stored:
            continue
        for purse in _purses(desk, arrival):
            octets[purse] += len(beginning(arrival.raw)) + _ROW_OCTETS
    # In one order, so that two transactions cannot wait for each other.
    for purse in sorted(octets):
        if intake_counts.add(desk.session, purse, octets[purse], desk.now) > _quota(desk, purse):
            raise OverQuota(purse)


def report(desk: Desk, purse: str) -> None:
    """Warn the operator that a quota is used up, once a day for each."""
    if not desk.site.operator or not intake_counts.mark_warned(desk.session, purse, desk.now):
        return
    is_pool = purse in (_REPLIES, _OTHERS)
    who = "All senders together have" if is_pool else "One sender has"
    setting = "limits.intake_bytes_a_day" if is_pool else "limits.sender_bytes_a_day"
    reference = f"{desk.now:%Y%m%d}x{hashlib.sha256(purse.encode()).hexdigest()[:6]}"
    alert = OperatorAlert(
        subject="the quota of incoming emails is used up",
        what=(
            f"{who} sent us {_quota(desk, purse) // 1_000_000} MB today. Further emails stay with "
            "the mail server or in the mailbox until tomorrow (UTC). Other emails are read."
        ),
        reference=reference,
        to_do=(
            "Run `referee mail list` to see what came. If somebody floods the address, block them "
            f"at your mail server. If these emails are wanted, set {setting} higher and restart "
            "the referee."
        ),
    )
    post(desk, alert, Addressing(MailAddress("", desk.site.operator), f"quota{reference}"))


def _purses(desk: Desk, arrival: IncomingMail) -> tuple[str, str]:
    """Return what a letter is charged to: its sender, and half of the site."""
    site, writer = desk.site, writer_of(arrival.raw) or arrival.sender
    addresses = [arrival.recipient] if arrival.recipient else recipients_of(arrival.raw)
    for address in addresses:
        local, _, domain = address.lower().rpartition("@")
        token = local.partition("+")[2]
        ours = verify(token, site.key) if domain == site.domain.lower() else None
        if ours is not None and _is_by_owner(desk.session, ours, writer):
            return f"reply to {token.partition('-')[0]}", _REPLIES
    return intake_counts.of_sender(writer), _OTHERS


def _is_by_owner(session: Session, token: Token, writer: str) -> bool:
    """Return whether a letter with a token can be its owner's, so that it is charged to them."""
    if isinstance(token, SeatToken):
        seat = valid_seat(session, token)
        owner = seat.person if seat is not None else None
        return owner is not None and is_from(session, writer, owner)
    return people.by_address(session, writer) is not None


def _quota(desk: Desk, purse: str) -> int:
    site = desk.site
    return site.intake_octets // 2 if purse in (_REPLIES, _OTHERS) else site.sender_octets
