"""Vacant and abandoned seats: how seats fall vacant, and who can take them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from referee.desk.base import private_games
from referee.desk.base.loaded_games import house_options
from referee.desk.games.attendance import reliability_of
from referee.store import Session
from referee.store.games import agenda, audit, games
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, GameStatus, Person, SeatRow
from referee.store.people import admissions, deputies, former_players, same_mailbox, standbys
from referee.store.people.admissions import AdmissionState
from referee.store.people.former_players import LeaveReason

BEGUN = (GameStatus.RUNNING, GameStatus.HELD)


def is_abandoned(row: SeatRow) -> bool:
    """Return whether the seat's player has missed as many turns in a row as the game allows."""
    return row.person is not None and 0 < row.game.missed_limit <= row.missed


def is_available(session: Session, row: SeatRow) -> bool:
    """Return whether the seat is available: vacant, or abandoned and still without orders.

    A seat that a robot plays is available, too, until a person takes it.
    """
    if row.eliminated or row.game.status not in BEGUN:
        return False
    if row.person is None:
        return True
    return is_abandoned(row) and not games.has_own_sheet(session, row)


def is_unplayed(session: Session, row: SeatRow) -> bool:
    """Return whether nobody plays the seat now, so that a GM can give its orders."""
    if row.person is None:
        return row.robot is None
    return (is_abandoned(row) or row.offered_at is not None) and not games.has_own_sheet(
        session, row
    )


def vacate(session: Session, row: SeatRow, reason: LeaveReason, now: datetime) -> Person:
    """Remove the player from a seat of a game in progress, and return the player.

    The new epoch makes older tokens of the seat invalid. Orders stay on file.
    """
    person = row.person
    assert person is not None
    former_players.note(session, row.game, person, reason, now, row)
    row.person, row.epoch = None, row.epoch + 1
    row.missed = row.final_turn = row.wait_turn = 0
    agenda.schedule(session, row.game)
    return person


def put_on_offer(session: Session, row: SeatRow, now: datetime) -> None:
    """Offer the seat to standbys from now on, also to those who were asked before."""
    row.offered_at, row.unfilled_at = now, None
    agenda.schedule(session, row.game, AgendaTopic.OFFERS)


def fill(session: Session, row: SeatRow, now: datetime) -> str:
    """Offer a vacant seat if its game does so without the GM; return words for a note, or ""."""
    if not row.game.standby or row.eliminated:
        return ""
    put_on_offer(session, row, now)
    return " and is offered to standbys"


def advice(session: Session, row: SeatRow) -> str:
    """Return advice for the GM on who can take the vacant seat."""
    if row.eliminated:
        return ""
    if not row.game.standby:
        return "REPLACE gives it to somebody, STANDBY OFFER offers it to standbys."
    count = len(takers(session, row))
    if not count:
        return (
            "There are no standbys now. Anyone who becomes one is asked. "
            "REPLACE gives it to somebody."
        )
    known = f"There are {count} standbys" if count != 1 else "There is 1 standby"
    return f"{known}; REPLACE gives it to somebody at once."


def take_off_offer(session: Session, row: SeatRow) -> None:
    """Stop offering the seat. The next round of offers notifies those who were asked."""
    row.offered_at = row.unfilled_at = None
    agenda.schedule(session, row.game)


def put_abandoned_on_offer(session: Session, game: Game, now: datetime) -> None:
    """Offer the seats whose players have missed as many turns as the game allows, or more.

    The players keep their seats until somebody takes them. The public note names no seat, because
    some players may not know it.
    """
    for row in game.seats:
        if game.standby and is_abandoned(row) and row.offered_at is None:
            put_on_offer(session, row, now)
            turns = f"{row.missed} turns in a row" if row.missed != 1 else "a turn"
            what = f"A seat sent no orders for {turns} and is offered to standbys."
            audit.note(session, game, "referee", what, now)


def why_none(session: Session, game: Game, person: Person | None, address: str = "") -> str:
    """Return why the person, or the address of an unknown one, can take no seat of the game, or "".

    Whether the GM has excluded them is not in it: they are not told.
    """
    if same_mailbox.holds_seat(game, person, address):
        return f"You already have a seat in {game.name}."
    if reason := unreliable(session, game, person):
        return reason
    known = same_mailbox.accounts(session, game, person, address)
    if any(is_insider(session, game, each) for each in known):
        return (
            f"You are or were a GM of {game.name} and may know its secrets, so you cannot take a "
            "seat."
        )
    reasons = {left.reason for each in known for left in former_players.of(session, game, each)}
    if not reasons.isdisjoint((LeaveReason.RESIGNED, LeaveReason.REMOVED)):
        return f"You have left {game.name}. Only its GM can give you a seat in it again."
    return ""


def why_not(session: Session, row: SeatRow, person: Person | None, address: str = "") -> str:
    """Return why the person, or the address of an unknown one, cannot take this seat, or "".

    People who saw hidden information cannot, because they would play with it.
    """
    if reason := why_none(session, row.game, person, address):
        return reason
    known = same_mailbox.accounts(session, row.game, person, address)
    knows = knows_too_much(session, row, known)
    return f"You {knows}, so you know what this one must not know." if knows else ""


def knows_too_much(session: Session, row: SeatRow, known: Iterable[Person]) -> str:
    """Return how one of a person's accounts knows what the seat must not know, or "".

    The words follow the person, as in "They" or "You".
    """
    game = row.game
    for each in known:
        if is_insider(session, game, each):
            return f"could see the secrets of {game.name} as GM"
        left = former_players.of(session, game, each)
        if any(leaving.seat_id not in (None, row.id) for leaving in left):
            return f"played another seat of {game.name}"
        if deputies.elsewhere(session, row, each):
            return f"could order for another seat of {game.name} as deputy"
    return ""


def unreliable(session: Session, game: Game, person: Person | None) -> str:
    """Return a refusal of a person who is less reliable than the GM demands, or "".

    A person who has finished no game has shown nothing yet, and the GM can allow anyone.
    """
    least = house_options(game)["reliability"]
    percent = reliability_of(session, person).percent if person is not None else None
    if person is None or percent is None or percent >= least:
        return ""
    decided = admissions.find(session, game, person.address, person)
    if decided is not None and decided.state is AdmissionState.ALLOWED:
        return ""
    return (
        f"Players of {game.name} must be {least}% reliable, and you are {percent}% reliable in the "
        "games that you have finished."
    )


def is_excluded(session: Session, game: Game, address: str, person: Person | None) -> bool:
    """Return whether the GM has decided that the address or the person gets no seat."""
    decided = admissions.find(session, game, address, person)
    return decided is not None and decided.state is AdmissionState.EXCLUDED


def takers(session: Session, row: SeatRow) -> list[Person]:
    """Return the standbys who can take the seat, in the order in which they are asked."""
    return [person for person, rows in choices(session, row.game).items() if row in rows]


def choices(session: Session, game: Game) -> Mapping[Person, Sequence[SeatRow]]:
    """Return who is asked to take a seat of the game, in that order, and which ones they can."""
    pool = [each for each in pool_of(session, game) if not why_none(session, game, each)]
    known = {each: same_mailbox.accounts(session, game, each) for each in pool}
    return {
        each: [row for row in game.seats if not knows_too_much(session, row, parts)]
        for each, parts in known.items()
    }


def pool_of(session: Session, game: Game) -> list[Person]:
    """Return the standbys for the game, in the order in which they are asked.

    Of a private game, only those who have named it may know. Nobody whom the GM has excluded is
    asked, and they are not told why.
    """
    others = () if private_games.is_private(game) else (standbys.EVERYWHERE, game.ruleset)
    pool = standbys.pool(session, (*others, game.name))
    return [each for each in pool if not is_excluded(session, game, each.address, each)]


def is_insider(session: Session, game: Game, person: Person) -> bool:
    """Return whether the person is or was a GM of the game."""
    left = former_players.of(session, game, person)
    return any(gm.person_id == person.id for gm in game.gms) or any(
        leaving.reason is LeaveReason.DEMOTED for leaving in left
    )


def has_gm_played(session: Session, game: Game) -> bool:
    """Return whether somebody who is or was a GM of the game has or had a seat in it."""
    left = former_players.all_of(session, game)
    gms = {gm.person for gm in game.gms}
    gms |= {leaving.person for leaving in left if leaving.reason is LeaveReason.DEMOTED}
    players = {row.person for row in game.seats}
    players |= {leaving.person for leaving in left if leaving.seat_id is not None}
    return not same_mailbox.mailboxes(*gms).isdisjoint(same_mailbox.mailboxes(*players))
