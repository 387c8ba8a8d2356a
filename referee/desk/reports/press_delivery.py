"""Press that does not wait for a report: delivered when it can no longer be taken back."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from referee.desk.base.desk import Desk, Site
from referee.desk.base.loaded_games import seat_name
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import PressItem
from referee.letters.outgoing.press_notices import PressDelivered, PressLetter, PressToGm
from referee.store import Session, Store
from referee.store.games import games, press
from referee.store.games.press import Press
from referee.store.mail import mail_queries
from referee.store.models import Game
from referee.store.people import deputies

REPORT_OCTETS: Final = 100_000
"""The maximum size of the messages in one letter."""


def deliver_due(store: Store, site: Site, now: datetime, closed: datetime) -> int:
    """Deliver the messages due at *closed*, one transaction per game; return how many were sent.

    An earlier letter that is not yet read may take a message back, so it is read first.
    """
    with store.read() as session:
        waiting = press.games_due(session, closed)
    count = 0
    for number in waiting:
        with store.write() as session:
            game = games.by_id(session, number)
            if game is not None:
                count += _deliver(Desk(session, site, now), games.lock(session, game), closed)
    return count


def message_of(game: Game, item: Press) -> PressItem:
    """Return a message as its readers see it; one of a GM, or unsigned, names no recipients."""
    if item.anonymous:
        return PressItem("ANONYMOUS", "", item.text)
    if item.sender:
        return PressItem(seat_name(game, item.sender), addressees(game, item), item.text)
    # A GM writes to seats that have not met, so the names of the others are secret.
    played = {row.number for row in game.seats if row.person is not None}
    return PressItem("the GM", "all players" * played.issubset(item.recipients), item.text)


def in_letters(items: Iterable[PressItem]) -> list[tuple[PressItem, ...]]:
    """Return the messages in groups, in order: those of a report, and those of further letters.

    A group has REPORT_OCTETS at most, so that nobody can make another player's report bounce.
    """
    groups: list[tuple[PressItem, ...]] = [()]
    octets = 0
    for item in items:
        size = len(item.text.encode())
        if groups[-1] and octets + size > REPORT_OCTETS:
            groups.append(())
            octets = 0
        groups[-1] += (item,)
        octets += size
    return groups


def addressees(game: Game, item: Press) -> str:
    """Return the names of a message's recipients."""
    return ", ".join(_names(game, item))


def _names(game: Game, item: Press) -> list[str]:
    return [seat_name(game, seat) if seat else "the GM" for seat in item.recipients]


def _deliver(desk: Desk, game: Game, closed: datetime) -> int:
    items = press.due(desk.session, game, closed)
    last = max((item.due_at for item in items if item.due_at is not None), default=desk.now)
    if mail_queries.unread_before(desk.session, last):
        return 0
    in_order = _in_order(desk.site, items)
    for serial, item in in_order:
        message = message_of(game, item)
        for addressing, answer in _addressed(desk.session, game, item, serial):
            notice = PressLetter(
                game.name, message.sender, message.recipients, message.text, answer
            )
            post(desk, notice, addressing)
        item.delivered_turn = game.turn
        vacant = [
            row.name for row in game.seats if row.number in item.recipients and not row.person
        ]
        if item.receipt or vacant:
            _confirm(desk, game, item, vacant)
    _write_to_gms(desk, game, [pair for pair in in_order if not all(pair[1].recipients)])
    return len(items)


def _write_to_gms(desk: Desk, game: Game, items: Sequence[tuple[str, Press]]) -> None:
    """Send the GMs the messages to them, with their serials, in as few letters as they fit into."""
    first = 0
    for group in filter(None, in_letters(message_of(game, item) for _, item in items)):
        serial, _ = items[first]
        first += len(group)
        names = dict.fromkeys(item.sender for item in group if item.sender != "ANONYMOUS")
        notice = PressToGm(game.name, group, tuple(names))
        for gm in game.gms:
            addressing = Addressing(mailbox(gm.person), serial, game=game, turn=game.turn)
            post(desk, notice, replace(addressing, can_wait=True))


def _in_order(site: Site, items: list[Press]) -> list[tuple[str, Press]]:
    """Return the messages in the order they are sent, each with the serial of its letters.

    For unsigned messages, serial and order depend only on their text and recipients, so they do not
    reveal who wrote them or which came first.
    """
    serials: list[tuple[str, Press]] = []
    seen = Counter[str]()
    for item in items:
        what = f"message {item.id}"
        if item.anonymous:
            what = f"unsigned {item.game_id} {item.due_at} {item.recipients} {item.text}"
        digest = hmac.digest(site.key, what.encode(), hashlib.sha256).hex()[:16]
        seen[digest] += 1
        serials.append((f"press{digest}x{seen[digest]}", item))
    return sorted(serials, key=lambda pair: (pair[1].anonymous, pair[0] * pair[1].anonymous))


def _addressed(
    session: Session, game: Game, item: Press, serial: str
) -> Iterator[tuple[Addressing, tuple[str, ...]]]:
    """Yield the letters of a message to players, each with the lines that answer it."""
    sender = "" if item.anonymous else seat_name(game, item.sender) if item.sender else "GM"
    answer = (f"PRESS TO {sender}", "...", "END") if sender else ()
    for row in game.seats:
        if row.number in item.recipients and row.person is not None:
            addressing = Addressing(
                mailbox(row.person), serial, game=game, seat=row, turn=game.turn
            )
            yield replace(addressing, can_wait=True), answer
            deputy = deputies.acting(session, row)
            if deputy is not None and deputy.person is not None:
                yield replace(addressing, to=mailbox(deputy.person), deputy=deputy), answer


def _confirm(desk: Desk, game: Game, item: Press, vacant: Sequence[str]) -> None:
    """Notify the sender of a delivery, and of seats without a player, if they still have theirs."""
    row = next((row for row in game.seats if row.number == item.sender), None)
    if row is None or row.person is None:
        return
    at = Moment(desk.now, row.person.zone)
    receipt = item.letter.receipt or 0
    reached = ", ".join(name for name in _names(game, item) if name not in vacant)
    notice = PressDelivered(game.name, receipt, reached, at, ", ".join(vacant))
    addressing = Addressing(
        mailbox(row.person), f"delivered{item.id}", game=game, seat=row, turn=game.turn
    )
    addressing = replace(addressing, can_wait=True)
    post(desk, notice, addressing)
