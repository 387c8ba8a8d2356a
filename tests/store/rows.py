"""Rows for the tests to start with."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import select

from referee.domain.mail_transfer import IncomingMail
from referee.store import Session
from referee.store.games import due_games, games
from referee.store.mail import inbox, outbox
from referee.store.models import Game, GameStatus, InboxLetter, OutboxLetter, Person, SeatRow
from referee.store.people import people

NOW = datetime(2026, 9, 17, 21, 4, tzinfo=UTC)
LEASE = timedelta(minutes=5)
GONE = timedelta(seconds=-1)
"""A lease that has expired as it begins, like that of a killed owner."""


def a_letter(session: Session, source_id: str = "1", sender: str = "") -> InboxLetter:
    """Store a letter that came by SMTP at ``NOW`` and waits to be read."""
    arrival = IncomingMail("smtp", source_id, b"F3T1P\r\n", NOW, sender)
    return session.get_one(InboxLetter, inbox.insert(session, arrival, sender))


def an_answer(session: Session, message_id: str = "<1@here>") -> OutboxLetter:
    """Put a letter to Frodo into the outbox, due at once."""
    outbox.put(
        session,
        NOW,
        outbox.Finished(
            message_id=message_id,
            kind="acknowledgement",
            envelope_sender="games+1@here",
            recipient="frodo@there",
            raw=b"1 order read\r\n",
        ),
    )
    return outgoing(session, message_id)


def outgoing(session: Session, message_id: str) -> OutboxLetter:
    """Return the letter in the outbox with that Message-ID."""
    found = select(OutboxLetter).where(OutboxLetter.message_id == message_id)
    return session.scalars(found).one()


def a_person(session: Session, address: str = "frodo@there") -> Person:
    """Add a person with that address."""
    return people.enrol(
        session,
        address=address,
        name="Frodo",
        zone="UTC",
        account_key=b"key",
        now=NOW,
    )


def a_game(session: Session, name: str = "SW-1", places: int = 2) -> Game:
    """Create a forming game without seats, whose GM is Gandalf."""
    return games.create(
        session,
        name=name,
        title="The Shire",
        ruleset="starweb",
        options={"score": 1000},
        places=places,
        seed=b"seed",
        schedule="72 hours",
        reminders=[86400],
        gm=a_person(session, "gandalf@there"),
        now=NOW,
    )


def a_running_game(session: Session, name: str = "SW-1") -> Game:
    """Create a game in turn 1 whose deadline is ``NOW``."""
    game = a_game(session, name)
    game.status, game.turn = GameStatus.RUNNING, 1
    game.deadline_at = game.closes_at = NOW
    session.flush()
    return game


def a_seat(session: Session, game: Game, number: int = 1) -> SeatRow:
    """Add a seat with a new player to the game."""
    person = a_person(session, f"player{number}@there")
    return games.add_seat(
        session, game, number=number, name=f"SEAT{number}", choices={}, person=person, now=NOW
    )


def claim_due(
    session: Session, owner: str, now: datetime = NOW, lease: timedelta = LEASE
) -> Game | None:
    """Claim the first unclaimed game that is due, or return None."""
    for number in due_games.due(session, now):
        if due_games.claim_if_due(session, number, owner, now, lease) is not None:
            return session.get_one(Game, number, populate_existing=True)
    return None
