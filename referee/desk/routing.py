"""What a letter asks for goes to the use cases that do it; what is not believed is held."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from referee.desk import answering, moderation
from referee.desk.house import House
from referee.desk.identity import Identity, identify
from referee.desk.posting import post
from referee.desk.tables import Table, lay
from referee.desk.visit import Visit
from referee.domain.commands import (
    Cancel,
    Clear,
    Command,
    Confirm,
    Final,
    SetName,
    SetZone,
    Wait,
)
from referee.domain.trust import Trust
from referee.letters.decode import decode
from referee.letters.letter import Letter
from referee.letters.notices import Confirmation, Said
from referee.letters.quoting import OwnText, own_text
from referee.parsing.body import Body, Commanded, StandingBlock, find_heading, read_body
from referee.parsing.items import Understood
from referee.parsing.lines import Line
from referee.rules.ruleset import Mistake
from referee.store import Session, games, inbox
from referee.store.models import GameStatus, InboxLetter, InboxState

_BINDING = (Cancel, Clear, Final, SetName, SetZone, Wait)
"""Commands that do something in a seat's name."""


@dataclass(frozen=True, slots=True)
class Routed:
    """What became of a letter, for its row in the inbox."""

    state: InboxState
    note: str
    identity: Identity


def route(
    session: Session, house: House, letter: Letter, row: InboxLetter, now: datetime
) -> Routed:
    """Do what the letter asks for, as far as it is believed, and answer it."""
    own = own_text(letter.text)
    identity = identify(session, house, letter, row, find_heading(_lines(own)))
    if identity.game is not None:
        # Nobody adjudicates the game between what is read of it here and what is filed.
        games.lock(session, identity.game)
    visit = Visit(session, house, letter, row, identity, _table(session, house, identity), now)
    body = _read(visit, own)
    if identity.held is not None and any(_is(item, Confirm) for item in body.items):
        return _confirm(visit, identity.held)
    return _treat(visit, body, own)


def _treat(visit: Visit, body: Body, own: OwnText) -> Routed:
    if (reason := _hold_reason(visit, body)) is not None:
        return _hold(visit, body, reason)
    if visit.identity.trust is Trust.NONE:
        # A name in the subject proves nothing: who is not believed has no seat.
        visit.identity = replace(visit.identity, seat=None)
    note = answering.obey(visit, body, own)
    for notice, slip in visit.letters:
        post(visit.session, visit.house, notice, slip, visit.now)
    return Routed(InboxState.READ, note, visit.identity)


def _confirm(visit: Visit, number: int) -> Routed:
    """Carry out a held letter now that the address of record has confirmed it.

    Confirming twice does nothing the second time, because the letter is held no more.
    """
    held = inbox.by_id(visit.session, number)
    if held is None or held.state is not InboxState.HELD:
        return _say(visit, "CONFIRM", f"Nothing waits under receipt {number} any more.")
    letter = decode(held.raw)
    own = own_text(letter.text)
    claimed = identify(visit.session, visit.house, letter, held, find_heading(_lines(own)))
    confirmed = replace(claimed, trust=Trust.CONFIRMED)
    table = _table(visit.session, visit.house, confirmed)
    again = Visit(visit.session, visit.house, letter, held, confirmed, table, visit.now)
    routed = _treat(again, _read(again, own), own)
    held.state, held.note = routed.state, routed.note
    return Routed(InboxState.READ, f"confirmed receipt {number}", confirmed)


def _hold_reason(visit: Visit, body: Body) -> str | None:
    """Say why the letter must be confirmed first, or None when it need not be."""
    identity = visit.identity
    if identity.trust is Trust.CONFIRMED:
        return None
    if any(_is(item, *moderation.CONSEQUENTIAL) for item in body.items):
        known = identity.is_master or identity.seat is not None
        return "It has consequences that cannot all be undone." if known else None
    if identity.seat is None or not _binds(visit, body):
        return None
    if identity.trust >= Trust.CODE:
        return None
    if identity.trust is Trust.ADDRESS and identity.seat.game.trust == "address":
        return None
    if identity.wrong_code:
        return "The security code in it is not yours."
    if identity.trust is Trust.NONE:
        return "It did not come from your address."
    return (
        "It is no reply to a letter of ours and has no security code, "
        "so anybody could have sent it."
    )


def _hold(visit: Visit, body: Body, reason: str) -> Routed:
    """Keep the letter back and ask the address of record about it."""
    try:
        preview = tuple(_preview(visit, body))
    except Mistake as mistake:
        return _say(visit, "", str(mistake))
    notice = Confirmation(
        game=visit.identity.game.name if visit.identity.game is not None else "",
        arrived=visit.arrived,
        preview=preview,
        reason=reason,
    )
    slip = visit.slip("confirm", held=visit.row.id)
    post(visit.session, visit.house, notice, slip, visit.now)
    return Routed(InboxState.HELD, "waits for a confirmation", visit.identity)


def _preview(visit: Visit, body: Body) -> Iterable[str]:
    """Say what will be done, one line for each thing."""
    orders = sum(isinstance(item, Understood) for item in body.items)
    if orders:
        yield f"{_counted(orders, 'order')} for {visit.seat().name} in {visit.game().name}"
    for item in body.items:
        if not isinstance(item, Commanded):
            continue
        consequence = moderation.CONSEQUENTIAL.get(type(item.command))
        yield item.text if consequence is None else consequence.preview(visit, item.command)
    if body.press:
        yield f"{_counted(len(body.press), 'message')} to other players"


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" + ("s" if count != 1 else "")


def _binds(visit: Visit, body: Body) -> bool:
    """Say whether the letter does something in a seat's name, and does not merely ask."""
    if body.press or body.has(*_BINDING) or any(isinstance(i, StandingBlock) for i in body.items):
        return True
    orders = any(isinstance(item, Understood) for item in body.orders)
    return orders and not answering.is_check(visit, body)


def _say(visit: Visit, what: str, answer: str) -> Routed:
    visit.said.append(Said(0, what, answer))
    answering.answer(visit, ())
    for notice, slip in visit.letters:
        post(visit.session, visit.house, notice, slip, visit.now)
    return Routed(InboxState.READ, "answered", visit.identity)


def _is(item: object, *kinds: type[Command]) -> bool:
    return isinstance(item, Commanded) and isinstance(item.command, kinds)


def _lines(own: OwnText) -> tuple[Line, ...]:
    return tuple(Line(line.number, line.text) for line in own.lines)


def _table(session: Session, house: House, identity: Identity) -> Table | None:
    if identity.game is None or identity.game.status is GameStatus.FORMING:
        return None
    return lay(session, house, identity.game)


def _read(visit: Visit, own: OwnText) -> Body:
    reader = visit.table.reader if visit.table is not None else None
    return read_body(_lines(own), reader)
