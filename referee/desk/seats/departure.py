"""Players and GMs who leave: their seats become vacant, and the GMs who stay are notified."""

from referee.desk.base import announcements
from referee.desk.base.attachments import taken_off
from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.games import game_for_one, revealing, vacancies
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.letter_context import LetterContext
from referee.desk.seats import first_gm
from referee.domain.commands import Resign
from referee.letters.outgoing.notices import GameChanged, Notice
from referee.rules.ruleset import UserError
from referee.store.games import audit, games
from referee.store.models import Game, GameMaster, GameStatus, Person, SeatRow
from referee.store.people import former_players
from referee.store.people.former_players import LeaveReason


@command(Resign, "RESIGN", For.SEAT, Effect.FOR_GOOD, shown_in="handover")
def resign(context: LetterContext, _given: Resign) -> Deed:
    """RESIGN is final. The seat becomes vacant; before the start it is removed.

    Raises UserError if the game has ended.
    """
    row = context.seat()
    game, name, person = row.game, row.name, row.person
    if game.status is GameStatus.ENDED:
        raise UserError(f"{game.name} has ended, so there is nothing to give up.")

    def leave() -> str:
        give_up = leave_game_for_one if game.for_one else leave_seat
        calendar = give_up(context.desk, row)
        if calendar is not None:
            context.letters.append(calendar)
        if game.for_one:
            return f"{game.name} has ended. Thank you for playing."
        diary = revealing.of_leaver(context.session, game, person) if person is not None else ""
        return f"{name} is no longer yours. Thank you for playing. {diary}".rstrip()

    ends = f" {game.name} then ends." if game.for_one else ""
    return Deed(
        f"You give up {name} of {game.name} for good and cannot take this back.{ends}", leave
    )


def leave_seat(desk: Desk, row: SeatRow) -> tuple[Notice, Addressing] | None:
    """Make the seat of a player who gives it up vacant; before the start it is removed.

    The game must not have ended. Return the letter that takes the deadline out of the player's
    calendar, or None if it is not there.
    """
    game, name = row.game, row.name
    if game.status is GameStatus.FORMING:
        games.remove_seat(desk.session, row)
        return None
    occasion = f"left{row.id}x{row.epoch}"
    games.revoke_claim(game)
    calendar = _off_calendar(desk, row, occasion)
    vacancies.vacate(desk.session, row, LeaveReason.RESIGNED, desk.now)
    offered = vacancies.fill(desk.session, row, desk.now)
    # The other players may not have met the seat, so the note they read does not name it.
    what = f"A player resigned. Their seat is vacant{offered}."
    audit.note(desk.session, game, name, what, desk.now)
    if game.for_one:
        game_for_one.end(desk.session, game, desk.now)
    told = f"The player of {name} in {game.name} resigned. The seat is vacant{offered}."
    told = f"{told} {vacancies.advice(desk.session, row)}"
    for gm in game.gms:
        announcements.tell(desk, game, gm.person, told, occasion)
    return calendar


def leave_game_for_one(desk: Desk, row: SeatRow) -> tuple[Notice, Addressing] | None:
    """End a game for one. Its player keeps the seat, so that its turns count for their limits.

    Return the letter that takes the deadline out of the player's calendar, or None.
    """
    games.revoke_claim(row.game)
    calendar = _off_calendar(desk, row, f"left{row.id}x{row.epoch}")
    game_for_one.end(desk.session, row.game, desk.now)
    return calendar


def _off_calendar(desk: Desk, row: SeatRow, serial: str) -> tuple[Notice, Addressing] | None:
    person, game = row.person, row.game
    files = taken_off(desk.site, row, desk.now)
    if person is None or not files:
        return None
    what = f"You no longer play {row.name}, so this email takes its deadline out of your calendar."
    notice = GameChanged(game.name, game.turn, what, None, on_hold=False)
    return notice, Addressing(mailbox(person), f"calendar{serial}", game=game, files=files)


def leave_as_gm(desk: Desk, game: Game, person: Person) -> None:
    """Remove a GM of a game that has another one, and notify the GMs who stay."""
    remove_gm(desk, first_gm.gm_row(game, person))
    what = f"A GM has left {game.name}."
    audit.note(desk.session, game, f"GM #{person.account}", what, desk.now)
    for gm in game.gms:
        announcements.tell(desk, game, gm.person, what, f"gmleft{person.id}", can_wait=True)


def dismiss_gm(desk: Desk, gm: GameMaster) -> None:
    """Remove a GM of a game that has another one, as the operator; notify all of its GMs."""
    game, person = gm.game, gm.person
    remove_gm(desk, gm)
    what, occasion = (
        f"A GM has left {game.name}.",
        f"dismissed{person.id}x{desk.now.timestamp():.0f}",
    )
    audit.note(desk.session, game, "operator", what, desk.now)
    mine = f"You are no longer a GM of {game.name}. The operator decided this."
    announcements.tell(desk, game, person, mine, occasion, has_left=True)
    told = f"The operator decided that GM #{person.account} is no longer a GM of {game.name}."
    for each in game.gms:
        announcements.tell(desk, game, each.person, told, occasion)


def remove_gm(desk: Desk, gm: GameMaster) -> None:
    """Remove a GM, who knows what they saw; if they were the first GM, notify their successor."""
    game, person = gm.game, gm.person
    games.revoke_claim(game)
    game.gms.remove(gm)
    desk.session.delete(gm)
    former_players.note(desk.session, game, person, LeaveReason.DEMOTED, desk.now)
    successor = first_gm.succeed(game)
    if successor is not None:
        told = (
            f"You are now the first GM of {game.name}: you have been a GM for the longest time. "
            "No other GM can remove you alone."
        )
        announcements.tell(desk, game, successor.person, told, f"first{person.id}")
