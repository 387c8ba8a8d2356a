"""SET TOKENS NEW: no earlier email of ours proves anything, and there is a new security code."""

from collections.abc import Sequence

from referee.desk.base.deadline_moments import current_deadline
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.orders.letter_context import LetterContext
from referee.desk.seats import registration
from referee.domain.commands import RenewTokens
from referee.letters.outgoing.address_notices import TokensRenewed
from referee.store.games import agenda, games
from referee.store.models import Person, SeatRow
from referee.store.people import address_changes
from referee.store.people.address_changes import ChangeKind

_DONE = "Replies to our earlier emails no longer act for you."


def preview_renew(context: LetterContext, _command: RenewTokens) -> str:
    """Return the preview of SET TOKENS NEW."""
    context.person()
    return (
        "Replies to our earlier emails no longer act for you, in any game, and your security code "
        "no longer works. A new email for each game has a new token, and the first one has a new "
        "code. What waits for your confirmation lapses, and so does your deputy's time."
    )


def renew(context: LetterContext, _command: RenewTokens) -> str:
    """Handle SET TOKENS NEW. Tokens, the security code and open questions become invalid."""
    person, session = context.person(), context.session
    person.moves += 1
    for kind in ChangeKind:
        address_changes.withdraw(session, person, kind)
    for row in games.all_seats_of(session, person):
        row.epoch += 1
        agenda.schedule(session, row.game)
    session.flush()
    code = registration.renew_code(context.site, person)
    rows: Sequence[SeatRow | None] = games.seats_of(session, person)
    for held in rows or (None,):
        _send_new(context, person, held, code)
        code = ""
    return _DONE


def _send_new(context: LetterContext, person: Person, row: SeatRow | None, code: str) -> None:
    """Write one letter with a valid token for a seat; the first has the code."""
    game = row.game if row is not None else None
    notice = TokensRenewed(
        game=game.name if game is not None else "",
        seat=row.name if row is not None else "",
        turn=game.turn if game is not None else 0,
        account=person.account,
        code=code,
        deadline=current_deadline(game, person.zone, context.now) if game is not None else None,
    )
    serial = f"tokens{context.row.id}x{row.id if row is not None else 0}"
    turn = game.turn or None if game is not None else None
    post(context.desk, notice, Addressing(mailbox(person), serial, game=game, seat=row, turn=turn))
