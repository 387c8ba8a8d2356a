"""Forgetting a person: they leave their games, and what is stored about them is deleted."""

from collections.abc import Iterator

from referee.desk.base import announcements
from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing
from referee.desk.seats import departure, deputies, joining
from referee.desk.seats.registration import fingerprint
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.address_notices import Forgotten
from referee.store import Session
from referee.store.games import agenda, games
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, GameStatus, Person
from referee.store.people import deputies as deputy_rows
from referee.store.people import offers
from referee.store.people.deputies import Deputy
from referee.store.people.offers import OfferState
from referee.store.privacy import erasure
from referee.store.privacy.subject import subject_of


def obstacle(session: Session, person: Person) -> str:
    """Return why the person cannot be forgotten now, or "": a game would have no GM."""
    lonely = run_alone(session, person)
    if not lonely:
        return ""
    names = " and ".join(lonely)
    return f"{names} would have no GM. First make someone a GM there with PROMOTE, or END GAME."


def run_alone(session: Session, person: Person) -> list[str]:
    """Return the names of the games that would have no GM without the person."""
    return [game.name for game in _run_by(session, person) if _needs_gm(game, person)]


def consequences(session: Session, person: Person) -> list[str]:
    """Return the effects of forgetting the person on games of others, one sentence each."""
    return list(_consequences(session, person))


def forget(desk: Desk, person: Person) -> tuple[Forgotten, Addressing]:
    """Delete the data stored about the person; return the last letter, which says so.

    There must be no obstacle. Seats become vacant as by RESIGN, and all other roles end.
    """
    session = desk.session
    subject = subject_of(session, person)
    to = MailAddress("", person.mailing_address)
    for row in games.seats_of(session, person):
        games.lock(session, row.game)
        departure.leave_seat(desk, row)
    for game in _run_by(session, person):
        _leave_as_gm(desk, games.lock(session, game), person)
    for deputy in _served(session, person):
        _end(desk, deputy)
    for offer in offers.open_to(session, person):
        offer.state = OfferState.DECLINED
        agenda.schedule(session, offer.seat.game, AgendaTopic.OFFERS)
    erasure.erase(session, subject, desk.now, fingerprint(desk.site, person.address))
    return Forgotten(desk.site.address), Addressing(to, f"forgotten{person.id}x{person.moves}")


def _consequences(session: Session, person: Person) -> Iterator[str]:
    for row in games.seats_of(session, person):
        if row.game.status is GameStatus.FORMING:
            yield f"Your seat {row.name} in {row.game.name} is free again."
        else:
            yield f"You give up {row.name} of {row.game.name} for good, as by RESIGN."
    for game in _run_by(session, person):
        ends = game.gms[1:] == []
        yield f"{game.name} is closed." if ends else f"You are no longer a GM of {game.name}."
    for deputy in _served(session, person):
        yield f"You are no longer deputy for {deputy.seat.name} of {deputy.seat.game.name}."


def _run_by(session: Session, person: Person) -> list[Game]:
    """Return the games that have not ended and whose GM the person is, oldest first."""
    found = games.listing(session, GameStatus.FORMING, GameStatus.RUNNING, GameStatus.HELD)
    return [game for game in found if any(gm.person_id == person.id for gm in game.gms)]


def _needs_gm(game: Game, person: Person) -> bool:
    """Return whether the person is its only GM, and it has begun or another person has joined."""
    joined = any(row.person_id != person.id for row in game.seats)
    return len(game.gms) == 1 and (game.status is not GameStatus.FORMING or joined)


def _leave_as_gm(desk: Desk, game: Game, person: Person) -> None:
    if len(game.gms) > 1:
        departure.leave_as_gm(desk, game, person)
        return
    # Nobody has joined it, so it can only be closed.
    games.end(game, desk.now)
    joining.turn_away(desk, game, "It is closed.")
    agenda.schedule(desk.session, game)


def _served(session: Session, person: Person) -> list[Deputy]:
    """Return the deputyships that the person has accepted and that go on."""
    return [each for each in deputy_rows.of_person(session, person) if each.is_engaged]


def _end(desk: Desk, deputy: Deputy) -> None:
    """End a deputyship, and notify the player of the seat."""
    deputies.end(desk, deputy, tell=False)
    row = deputy.seat
    assert row.person is not None
    told = f"You no longer have a deputy for {row.name}. The deputy ended the role."
    announcements.tell(desk, row.game, row.person, told, f"deputy{deputy.id}left", seat=row)
