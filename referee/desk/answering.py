"""A believed letter is obeyed item by item, and answered line by line in one letter."""

import re
from collections.abc import Sequence
from dataclasses import replace

from referee.desk import moderation, playing, talking
from referee.desk.correspondence import accept_press
from referee.desk.ordering import Filed, Wishes, is_too_late, submit
from referee.desk.ruling import misreadings
from referee.desk.visit import Visit
from referee.domain.commands import Add, Cancel, Check, Clear, Confirm, CountOrders, Create
from referee.domain.sheets import Filing
from referee.letters.moments import Moment
from referee.letters.notices import (
    Acknowledgement,
    Answer,
    Fault,
    Said,
    TooLate,
    Unknown,
)
from referee.letters.quoting import OwnText
from referee.parsing.body import Body, Commanded, PressBlock, StandingBlock
from referee.parsing.items import Misread, Understood
from referee.reports.text import text
from referee.rules.ruleset import Mistake, Seat

_GAME = re.compile(r"[A-Z]{1,5}-[1-9][0-9]{0,8}")
_SHEET_WORDS = (Add, Check, Clear, Cancel, CountOrders, Confirm)
"""Commands that say how the orders of the letter are meant."""


def obey(visit: Visit, body: Body, own: OwnText) -> str:
    """File the orders, then do everything else the letter asks for in the order typed; answer it.

    What cannot be done is answered in its place and harms nothing else. Gives a note for the
    inbox.
    """
    faults: list[Fault] = []
    checking = is_check(visit, body)
    # The sheet first: FINAL and ORDERS are about the sheet as this letter leaves it.
    filed = _orders(visit, body, faults)
    for item in body.items:
        try:
            said = _obey_item(visit, item, checking=checking)
        except Mistake as mistake:
            faults.append(_fault(visit, item, mistake))
        else:
            if said is not None and said.answer:
                visit.said.append(said)
    answer(visit, faults, body, filed, own)
    return "read" if filed is None else f"{len(filed.orders)} orders on the sheet"


def answer(
    visit: Visit,
    faults: Sequence[Fault],
    body: Body | None = None,
    filed: Filed | None = None,
    own: OwnText | None = None,
) -> None:
    """Pile up the one letter that answers what was said, filed and not understood."""
    identity = visit.identity
    if filed is not None and body is not None and own is not None:
        notice = _acknowledgement(visit, body, filed, faults, own)
        visit.letters.append((notice, visit.slip("ack")))
    elif visit.said or faults:
        title = identity.game.name if identity.game is not None else "Your letter"
        said, wrong = tuple(visit.said), tuple(faults)
        visit.letters.append((Answer(title, said, wrong), visit.slip("answer")))
    elif not visit.letters:
        game = identity.game.name if identity.game is not None else ""
        visit.letters.append((Unknown(identity.wrong_code, game), visit.slip("unknown")))


def _obey_item(visit: Visit, item: object, *, checking: bool) -> Said | None:
    match item:
        case PressBlock():
            if checking:
                return Said(item.line, "PRESS", "The message was not sent, since this is a CHECK.")
            accept = talking.write if talking.is_by_gm(visit) else accept_press
            return Said(item.line, f"PRESS TO {', '.join(item.recipients)}", accept(visit, item))
        case StandingBlock():
            return Said(item.line, "STANDING", _keep_standing(visit, item))
        case Commanded() if not isinstance(item.command, _SHEET_WORDS):
            return Said(item.line, item.text, _obey_command(visit, item))
        case _:
            return None


def _obey_command(visit: Visit, item: Commanded) -> str:
    command, kind = item.command, type(item.command)
    if kind is Create:
        return moderation.create(visit, command)
    if kind in moderation.CONSEQUENTIAL:
        return moderation.CONSEQUENTIAL[kind].deed(visit, command)
    if kind in moderation.INSPECTIONS:
        return moderation.INSPECTIONS[kind](visit, command)
    return {**playing.PUBLIC, **playing.SEATED}[kind](visit, command)


def _keep_standing(visit: Visit, block: StandingBlock) -> str:
    table, row = visit.playing(), visit.seat()
    bad = [item for item in block.items if isinstance(item, Misread)]
    if bad:
        raise Mistake(f'Standing orders are kept whole or not at all: "{bad[0].text}" is none.')
    orders = [item.order for item in block.items if isinstance(item, Understood)]
    row.standing = table.render(orders)
    if not orders:
        return "You have no standing orders any more."
    return f"{len(orders)} standing orders run in every turn without a sheet of yours."


def _orders(visit: Visit, body: Body, faults: list[Fault]) -> Filed | None:
    """File the orders of the letter if it has any; their faults stay with the sheet."""
    if not body.orders and not body.has(Check, Clear, Cancel):
        return None
    try:
        table, row = visit.table_for_orders(), visit.seat()
    except Mistake as mistake:
        # Strangers never get their own words back; they are told what can be written.
        if visit.identity.person is not None:
            faults.append(Fault(0, "", str(mistake)))
            faults.extend(misreadings(body.orders))
        return None
    turn = visit.identity.turn or table.game.turn
    if is_too_late(table.game, turn, visit.row.arrived_at):
        deadline = table.game.deadline_at
        due = Moment(deadline, visit.zone) if deadline is not None else None
        late = TooLate(table.game.name, turn, table.game.turn, due, visit.row.id)
        visit.letters.append((late, visit.slip("late")))
        return None
    cancelled = _cancelled(visit, body, faults)
    wishes = Wishes(body.orders, cancelled, _filing(visit, body), turn)
    return submit(visit.session, table, row, visit.row, wishes, visit.now)


def _cancelled(visit: Visit, body: Body, faults: list[Fault]) -> list[Understood]:
    """Read the orders that CANCEL takes out."""
    read = []
    for item in body.commanded(Cancel):
        for order in visit.playing().reader.read(item.command.order):
            if isinstance(order, Understood):
                read.append(replace(order, line=item.line))
            else:
                faults.append(Fault(item.line, item.text, order.reason, order.advice))
    return read


def is_check(visit: Visit, body: Body) -> bool:
    """Say whether the letter is to be read and ruled on only: CHECK in it or in its subject."""
    return body.has(Check) or visit.letter.subject.upper().split()[:1] == ["CHECK"]


def _filing(visit: Visit, body: Body) -> Filing:
    if is_check(visit, body):
        return Filing.CHECK
    if body.has(Clear):
        return Filing.REPLACE
    # A letter in which no order could be read takes nothing off the sheet.
    empty = not any(isinstance(item, Understood) for item in body.orders)
    return Filing.ADD if empty or body.has(Add) else Filing.REPLACE


def _fault(visit: Visit, item: object, mistake: Mistake) -> Fault:
    """Name the place of a mistake, but to a stranger without his own words."""
    if visit.identity.person is None:
        creators = visit.house.creators or ()
        known = visit.identity.address in creators
        return Fault(0, "", str(mistake) if known else _without_echo(item, str(mistake)))
    match item:
        case Commanded():
            return Fault(item.line, item.text, str(mistake))
        case PressBlock():
            return Fault(item.line, "PRESS", str(mistake))
        case StandingBlock():
            return Fault(item.line, "STANDING", str(mistake))
        case _:
            return Fault(0, "", str(mistake))


def _without_echo(item: object, reason: str) -> str:
    """Give the reason, unless it repeats what was typed: a From may be forged to mail it there."""
    typed = {word.upper().strip('".,:') for word in getattr(item, "text", "").split()[1:]}
    echoed = typed & {word.upper().strip('".,:') for word in reason.split()}
    if any(not _GAME.fullmatch(word) for word in echoed if len(word) > 2):
        return "That cannot be done as it is written. HELP COMMANDS explains how to write it."
    return reason


def _acknowledgement(
    visit: Visit, body: Body, filed: Filed, faults: Sequence[Fault], own: OwnText
) -> Acknowledgement:
    table, replaced = visit.playing(), filed.replaced
    game, zone = table.game, visit.zone
    turn = visit.identity.turn or game.turn
    counted = [item.command.count for item in body.commanded(CountOrders)]
    read = sum(isinstance(item, Understood) for item in body.orders)
    return Acknowledgement(
        receipt=visit.row.id,
        game=game.name,
        turn=turn,
        arrived=visit.arrived,
        filed=not is_check(visit, body),
        orders=bool(body.orders),
        stands=filed.rulings.stands,
        warned=filed.rulings.warned,
        faults=filed.faults,
        undone=tuple(sorted(faults, key=lambda fault: fault.line)),
        said=tuple(visit.said),
        idle=filed.rulings.idle,
        forecast=_forecast(visit, filed) if turn == game.turn else "",
        unread=_unread(visit, own),
        deadline=Moment(game.deadline_at, zone) if game.deadline_at is not None else None,
        replaces=replaced.letter_id if replaced is not None else None,
        replaced=Moment(replaced.filed_at, zone) if replaced is not None else None,
        expected=counted[0] if counted and counted[0] != read else None,
        read=read,
        ready=game.ready_at is not None,
    )


def _forecast(visit: Visit, filed: Filed) -> str:
    table, seat = visit.playing(), Seat(visit.seat().number)
    return text(table.ruleset.forecast(table.state, seat, filed.orders))


def _unread(visit: Visit, own: OwnText) -> tuple[str, ...]:
    """Name what of the letter was not read, and what could not be."""
    unread = []
    if own.quoted:
        unread.append(f"{own.quoted} quoted lines")
    if own.signature:
        unread.append("your signature")
    if own.disclaimer:
        unread.append("the small print at the end")
    unread += [f"{part.name}: {part.reason}" for part in visit.letter.refused]
    unread += [part.name for part in visit.letter.attachments if not part.read]
    return tuple(dict.fromkeys(unread))
