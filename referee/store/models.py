"""The rows of an installation, the same on SQLite and PostgreSQL."""

import zlib
from datetime import UTC, datetime, time
from enum import Enum
from typing import Any, Final

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, composite, mapped_column, relationship

from referee.domain.player_settings import ReportFormat
from referee.domain.press import PressRule, PressRules
from referee.store.database.base import Base, Bundled, Claimed, KeptLetter, enum_of

LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""Before anything was written down."""


class GameStatus(Enum):
    """The life of a game."""

    FORMING = "forming"
    RUNNING = "running"
    HELD = "held"
    ENDED = "ended"


class InboxState(Enum):
    """What has become of a letter that came in."""

    WAITING = "waiting"
    READ = "read"
    HELD = "held"
    """Waits for a confirmation from the address of record."""
    IGNORED = "ignored"
    """A machine's letter, a copy, or our own: nothing was done and nobody was answered."""
    QUARANTINED = "quarantined"


class OutboxState(Enum):
    """What has become of a letter that goes out."""

    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"


class Person(Base):
    """A player, GM or observer: an address is one person's, his address of record or his second."""

    __tablename__ = "people"

    id: Mapped[int] = mapped_column(primary_key=True)
    address: Mapped[str] = mapped_column(unique=True)
    """Folded to lower case; the address of record."""
    name: Mapped[str] = mapped_column(default="")
    zone: Mapped[str] = mapped_column(default="UTC")
    attachments: Mapped[list[Any]] = mapped_column(default=list)
    """What comes with every report: values of AttachmentKind."""
    report_format: Mapped[ReportFormat] = mapped_column(
        enum_of(ReportFormat), default=ReportFormat.FULL
    )
    reminders: Mapped[list[Any] | None]
    """Spans in seconds before a deadline, longest first; None leaves it to each game."""
    digest: Mapped[bool] = mapped_column(default=False)
    """Whether what can wait comes in one letter a day."""
    quiet_from: Mapped[time | None]
    """From when to when, by his clock, only what cannot wait is sent; both or none."""
    quiet_until: Mapped[time | None]
    code_salt: Mapped[bytes]
    code_hash: Mapped[bytes]
    """The security code, hashed; it is told once, in the first welcome."""
    bounces: Mapped[int] = mapped_column(default=0)
    """How many of our letters have come back since his address last worked."""
    bounced_at: Mapped[datetime | None] = mapped_column(index=True)
    second_address: Mapped[str | None] = mapped_column(unique=True)
    """Where letters go that come back from his address of record, folded like it."""
    second_bounces: Mapped[int] = mapped_column(default=0)
    is_at_second: Mapped[bool] = mapped_column(default=False)
    """Whether every letter goes to his second address, because the other one takes none."""
    moves: Mapped[int] = mapped_column(default=0)
    """How often his address of record has changed; a question asked before is dead."""
    created_at: Mapped[datetime]

    @property
    def account(self) -> int:
        """The account number, which people write in headings: ``#1234``."""
        return 1000 + self.id

    @property
    def mailing_address(self) -> str:
        """Where letters to him go now."""
        return (self.is_at_second and self.second_address) or self.address


class Game(Claimed, Base):
    """A game; its row is the lane on which only one worker at a time moves it."""

    __tablename__ = "games"
    __table_args__ = (
        Index("ix_games_status_deadline_at", "status", "deadline_at"),
        Index("ix_games_status_ready_at", "status", "ready_at"),
        Index("ix_games_status_remind_at", "status", "remind_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    """``SW-1``; people write it in subjects and headings."""
    title: Mapped[str] = mapped_column(default="")
    ruleset: Mapped[str]
    edition: Mapped[str]
    options: Mapped[dict[str, Any]]
    """The ruleset's options by name."""
    places: Mapped[int]
    """How many seats the game has."""
    status: Mapped[GameStatus] = mapped_column(enum_of(GameStatus))
    turn: Mapped[int] = mapped_column(default=0)
    seed: Mapped[bytes]
    """Secret until the game has ended."""
    schedule: Mapped[str]
    """As the GM wrote it: ``every second Friday 18:00 America/Phoenix``."""
    deadline_at: Mapped[datetime | None]
    """The deadline of the running turn, without grace."""
    scheduled_at: Mapped[datetime | None]
    """The last deadline that the schedule's rule gave, which moves with nothing."""
    moves: Mapped[int] = mapped_column(default=0)
    """How often a deadline was set or stopped: a calendar program tells newer entries by it."""
    extension_seconds: Mapped[int] = mapped_column(default=7 * 86400)
    """By how much at most the deadline of a turn may be extended."""
    extended_seconds: Mapped[int] = mapped_column(default=0)
    """By how much that of the running turn was, by the GM and by votes."""
    bank_seconds: Mapped[int] = mapped_column(default=0)
    """How much later, once for each seat, the first turn is due that the seat would miss."""
    ready_at: Mapped[datetime | None]
    """Since when nobody need be waited for: all seats that owe orders said FINAL."""
    grace_seconds: Mapped[int] = mapped_column(default=0)
    reminders: Mapped[list[Any]]
    """Spans in seconds before the deadline, longest first."""
    remind_at: Mapped[datetime | None] = mapped_column(default=LONG_AGO)
    """Before that moment nobody in it is reminded; None until something changes in the game."""
    trust: Mapped[str] = mapped_column(default="token")
    """``address`` believes a letter from the address of record without token or code."""
    missed_limit: Mapped[int] = mapped_column(default=2)
    press_rule: Mapped[PressRule] = mapped_column(enum_of(PressRule), default=PressRule.MET)
    press_anonymous: Mapped[bool] = mapped_column(default=True)
    """Whether messages may be unsigned."""
    standby: Mapped[bool] = mapped_column(default=True)
    """Whether seats that nobody plays are offered to standbys without the GM."""
    masters_may_play: Mapped[bool] = mapped_column(default=False)
    """Whether who is, or was, a GM of the game may take a seat that falls vacant."""
    newcomer_turn: Mapped[int] = mapped_column(default=0)
    """The turn whose deadline was moved for a newcomer last."""
    press_at_once: Mapped[bool] = mapped_column(default=False)
    """Whether messages are delivered at once and not with the report."""
    press_broadcast: Mapped[bool] = mapped_column(default=True)
    """Whether a message may go to ALL."""
    press_limit: Mapped[int] = mapped_column(default=0)
    """How many messages a seat may write in a turn; 0 for any number."""
    options_of_house: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """What the GM chose besides the ruleset's options; what is missing has its default."""
    rules_version: Mapped[int] = mapped_column(default=1)
    """Counted up whenever the house rules change."""
    rules_changed_turn: Mapped[int | None]
    """The turn in which the house rules were changed last after the start."""
    paused_by_vote: Mapped[bool] = mapped_column(default=False)
    """Whether it was a vote that put the game on hold."""
    stalls: Mapped[int] = mapped_column(default=0)
    """How often in a row the running turn could not be resolved, through a fault of ours."""
    stalled_until: Mapped[datetime | None]
    """When that is tried again."""
    observers_behind: Mapped[int | None]
    """How many turns later observers read the public report; None while the game takes none."""
    rollbacks: Mapped[int] = mapped_column(default=0)
    """How often turns were undone."""
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]

    masters: Mapped[list["GameMaster"]] = relationship(back_populates="game")
    press_rules: Mapped[PressRules] = composite(
        "press_rule", "press_anonymous", "press_at_once", "press_broadcast", "press_limit"
    )
    """Whom players may write to, and how: set as a whole."""
    seats: Mapped[list["SeatRow"]] = relationship(back_populates="game", order_by="SeatRow.number")


class GameMaster(Base):
    """A person who is GM of a game."""

    __tablename__ = "game_masters"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)

    game: Mapped[Game] = relationship(back_populates="masters")
    person: Mapped[Person] = relationship()


class SeatRow(Base):
    """A seat of a game and who holds it."""

    __tablename__ = "seats"
    __table_args__ = (
        UniqueConstraint("game_id", "number"),
        UniqueConstraint("game_id", "name"),
        # Tokens name a seat by its id, so that of a seat taken out is never given again.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))
    number: Mapped[int]
    """1 to the number of places, in the order of joining."""
    name: Mapped[str]
    """The seat's name in the game, ``CERES``."""
    choices: Mapped[dict[str, Any]]
    """The wishes at sign-up: option name to a list, best first."""
    person_id: Mapped[int | None] = mapped_column(ForeignKey("people.id"), index=True)
    """None while the seat is vacant."""
    epoch: Mapped[int] = mapped_column(default=1)
    """Counted up when the holder or his address changes: older tokens are dead."""
    missed: Mapped[int] = mapped_column(default=0)
    """Turns missed one after the other."""
    missed_all: Mapped[int] = mapped_column(default=0)
    banked_turn: Mapped[int] = mapped_column(default=0)
    """The turn for which the time bank of the seat was spent; 0 while it is not."""
    final_turn: Mapped[int] = mapped_column(default=0)
    """The turn for which the seat said FINAL last."""
    wait_turn: Mapped[int] = mapped_column(default=0)
    """The turn for which the seat said WAIT last."""
    standing: Mapped[list[Any]]
    """Standing orders as canonical texts."""
    joined_at: Mapped[datetime]
    eliminated: Mapped[bool] = mapped_column(default=False)
    """Out of the game: nobody waits for its orders, and the rules order for it."""
    offered_at: Mapped[datetime | None] = mapped_column(index=True)
    """Since when the seat is offered to standbys, one after the other; None while it is not."""
    unfilled_at: Mapped[datetime | None]
    """Since when all standbys have been asked, and the GMs know it."""

    game: Mapped[Game] = relationship(back_populates="seats")
    person: Mapped[Person | None] = relationship()


class Sheet(Base):
    """One revision of a seat's order sheet for a turn; the newest counts."""

    __tablename__ = "sheets"
    __table_args__ = (UniqueConstraint("seat_id", "turn", "undone", "revision"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    turn: Mapped[int]
    revision: Mapped[int]
    letter_id: Mapped[int] = mapped_column(ForeignKey("inbox.id"))
    orders: Mapped[list[Any]]
    """Canonical texts in the order typed."""
    restores_id: Mapped[int | None] = mapped_column(ForeignKey("sheets.id"))
    """The revision that counts again by this one, as UNDO brought it back."""
    withdrawn: Mapped[bool] = mapped_column(default=False)
    """Whether by this revision nothing is on file, as if no sheet had come."""
    undone: Mapped[int] = mapped_column(default=0)
    """Which rollback of the game put it aside; 0 while it counts."""
    filed_at: Mapped[datetime]

    restores: Mapped["Sheet | None"] = relationship(remote_side="Sheet.id")

    @property
    def origin(self) -> "Sheet":
        """The revision that was typed: this one, or that which it restores."""
        return self.restores or self


_APART = text("bundle_id IS NULL")


class TurnRow(Bundled, Base):
    """A turn: the state before it, and once it is resolved, all that made the next one."""

    __tablename__ = "turns"
    __table_args__ = (
        UniqueConstraint("game_id", "number", "undone"),
        Index("ix_turns_apart", "resolved_at", sqlite_where=_APART, postgresql_where=_APART),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))
    number: Mapped[int]
    undone: Mapped[int] = mapped_column(default=0)
    """Which rollback of the game undid it; 0 for the turns that count."""
    edition: Mapped[str]
    schema: Mapped[int]
    stored: Mapped[bytes] = mapped_column("state")
    digest: Mapped[str]
    """SHA-256 of the encoded state, for replays."""
    corrections: Mapped[list[Any]] = mapped_column(default=list)
    """What GMs corrected in the state since the turn began, in the ruleset's notation."""
    sheets: Mapped[dict[str, Any] | None]
    """Seat number to canonical texts, as they were resolved; None while the turn runs."""
    missed: Mapped[list[Any] | None]
    """The seats whose orders nobody gave; their sheets are generated orders."""
    outcomes: Mapped[dict[str, Any] | None]
    """Seat number to a list of [text, done, reason]."""
    events: Mapped[list[Any] | None]
    """[text, audience] with audience None for everybody."""
    deadline_at: Mapped[datetime | None]
    resolved_at: Mapped[datetime | None]

    @property
    def state(self) -> bytes:
        """The ruleset's state, encoded and compressed by ``referee.store.database.codec``."""
        if self.bundle_id is None:
            return self.stored
        return zlib.compress(self.octets(self.stored))

    @state.setter
    def state(self, content: bytes) -> None:
        self.stored, self.bundle_id = content, None


_OF_NO_GAME = text("game_id IS NULL AND emptied_at IS NULL")


class InboxLetter(Claimed, KeptLetter, Base):
    """A letter that came in: the raw bytes first, what was understood of it later.

    Its id is the receipt number people see.
    """

    __tablename__ = "inbox"
    __table_args__ = (
        UniqueConstraint("source", "source_id"),
        Index("ix_inbox_state_id", "state", "id"),
        Index("ix_inbox_message_id_body_hash", "message_id", "body_hash"),
        Index("ix_inbox_game_id_bundle_id", "game_id", "bundle_id"),
        Index(
            "ix_inbox_of_no_game",
            "state",
            "read_at",
            sqlite_where=_OF_NO_GAME,
            postgresql_where=_OF_NO_GAME,
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    source: Mapped[str]
    source_id: Mapped[str]
    sha256: Mapped[str]
    arrived_at: Mapped[datetime]
    envelope_sender: Mapped[str] = mapped_column(default="")
    envelope_recipient: Mapped[str] = mapped_column(default="")
    writer: Mapped[str] = mapped_column(default="")
    """The address in its From, whose letters are read one after the other; empty when none is."""
    state: Mapped[InboxState] = mapped_column(enum_of(InboxState))
    attempts: Mapped[int] = mapped_column(default=0)
    message_id: Mapped[str | None]
    body_hash: Mapped[str | None]
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id"))
    seat_number: Mapped[int | None]
    holder_id: Mapped[int | None] = mapped_column(ForeignKey("people.id"), index=True)
    """Who held the seat for which it was done, if it was believed: his successor is not told."""
    trust: Mapped[str | None]
    """How far it was believed: ``token``, ``aligned``, ``code``, ``address`` or ``none``."""
    asked: Mapped[dict[str, Any] | None]
    """Of a held letter, who was asked about it: his id, the seat's id and epoch, and the turn."""
    note: Mapped[str] = mapped_column(default="")
    """What became of it, in a few words for the operator; never its text, an address or a code."""
    read_at: Mapped[datetime | None]


_ANSWERS = text("state = 'waiting' AND answers_id IS NOT NULL")


class OutboxLetter(Claimed, KeptLetter, Base):
    """A finished letter that waits to be sent, or was."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_state_due_at", "state", "due_at"),
        # Answers are looked for first, however many other letters wait.
        Index("ix_outbox_answers", "due_at", sqlite_where=_ANSWERS, postgresql_where=_ANSWERS),
        Index("ix_outbox_kind_created_at", "kind", "created_at"),
        Index("ix_outbox_game_id_bundle_id", "game_id", "bundle_id"),
        Index(
            "ix_outbox_of_no_game",
            "state",
            "created_at",
            sqlite_where=_OF_NO_GAME,
            postgresql_where=_OF_NO_GAME,
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    message_id: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]
    """The kind of letter, as its template is called: ``acknowledgement``."""
    answers_id: Mapped[int | None] = mapped_column(ForeignKey("inbox.id"), index=True)
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id"))
    seat_number: Mapped[int | None]
    turn: Mapped[int | None]
    envelope_sender: Mapped[str] = mapped_column(index=True)
    recipient: Mapped[str]
    state: Mapped[OutboxState] = mapped_column(enum_of(OutboxState))
    created_at: Mapped[datetime]
    due_at: Mapped[datetime]
    attempts: Mapped[int] = mapped_column(default=0)
    error: Mapped[str] = mapped_column(default="")
    sent_at: Mapped[datetime | None]
