"""The main tables of a site, the same on SQLite and PostgreSQL."""

import zlib
from datetime import UTC, datetime, time, timedelta
from enum import Enum
from typing import Any, Final

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, composite, mapped_column, relationship

from referee.domain.player_settings import ReportFormat
from referee.domain.press import PressRule, PressRules
from referee.rules.extras import Strength
from referee.store.database.base import Base, Bundled, Claimed, KeptLetter, enum_of
from referee.store.letter_states import InboxState, Lane, OutboxState, SendShare

LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""A moment before any stored data."""
LONGEST_HOLD: Final = 7 * 86400
"""How long GMs who play can hold a turn in all, in seconds."""
FIRST_LINE: Final = 0
"""The line of the first GM of a game."""


class GameStatus(Enum):
    """The status of a game."""

    FORMING = "forming"
    RUNNING = "running"
    HELD = "held"
    ENDED = "ended"


class Person(Base):
    """A player, GM or observer.

    An address, primary or second, belongs to one person only.
    """

    __tablename__ = "people"

    id: Mapped[int] = mapped_column(primary_key=True)
    account: Mapped[int] = mapped_column(unique=True)
    """The account number, which people write in headings: ``#1234``."""
    address: Mapped[str] = mapped_column(unique=True)
    """The primary address, in lower case."""
    name: Mapped[str] = mapped_column(default="")
    zone: Mapped[str] = mapped_column(default="UTC")
    attachments: Mapped[list[Any]] = mapped_column(default=list)
    """Attachments of every report: values of AttachmentKind."""
    report_format: Mapped[ReportFormat] = mapped_column(
        enum_of(ReportFormat), default=ReportFormat.FULL
    )
    reminders: Mapped[list[Any] | None]
    """Seconds before a deadline, longest first; None uses each game's setting."""
    digest: Mapped[bool] = mapped_column(default=False)
    """Whether notices that can wait are sent in one letter a day."""
    html: Mapped[bool | None]
    """Whether letters to them have HTML; None leaves it to the site."""
    quiet_from: Mapped[time | None]
    """Start of the quiet hours in local time, in which only urgent letters are sent, or None."""
    quiet_until: Mapped[time | None]
    code_salt: Mapped[bytes]
    code_hash: Mapped[bytes]
    """The hash of the security code, which is shown only once, in the first welcome."""
    bounces: Mapped[int] = mapped_column(default=0)
    """The number of bounces since the primary address last worked."""
    bounced_at: Mapped[datetime | None] = mapped_column(index=True)
    second_address: Mapped[str | None] = mapped_column(unique=True)
    """Used when the primary address bounces; in lower case."""
    second_bounces: Mapped[int] = mapped_column(default=0)
    is_at_second: Mapped[bool] = mapped_column(default=False)
    """Whether all letters go to the second address, because the primary one bounces."""
    moves: Mapped[int] = mapped_column(default=0)
    """How often the address or the tokens changed; earlier confirmations are invalid."""
    created_at: Mapped[datetime]
    signs: Mapped[str | None]
    """The address from which their last emails were signed; "" once they confirmed one that was
    not, as somebody who also uses another mail program does."""
    forgotten_at: Mapped[datetime | None]
    """When everything about the person was deleted; their row stays, without name and address."""
    fingerprint: Mapped[str | None] = mapped_column(index=True)
    """A keyed hash of a forgotten address, until their games have ended: it bars other seats."""

    @property
    def mailing_address(self) -> str:
        """Return the address that letters currently go to."""
        return (self.is_at_second and self.second_address) or self.address


class Game(Claimed, Base):
    """A game; only the worker that claimed its row resolves its turns."""

    __tablename__ = "games"
    __table_args__ = (
        Index("ix_games_status_deadline_at", "status", "deadline_at"),
        Index("ix_games_status_closes_at", "status", "closes_at"),
        Index("ix_games_status_ready_at", "status", "ready_at"),
        Index("ix_games_status_remind_at", "status", "remind_at"),
        Index("ix_games_status_stalled_until", "status", "stalled_until"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    """``SW-1``; people write it in subjects and headings."""
    title: Mapped[str] = mapped_column(default="")
    ruleset: Mapped[str]
    options: Mapped[dict[str, Any]]
    """The ruleset's options by name."""
    places: Mapped[int]
    """The number of seats in the game."""
    status: Mapped[GameStatus] = mapped_column(enum_of(GameStatus))
    turn: Mapped[int] = mapped_column(default=0)
    seed: Mapped[bytes]
    """Secret until the game has ended."""
    schedule: Mapped[str]
    """The GM's text: ``every second Friday 18:00 America/Phoenix``."""
    deadline_at: Mapped[datetime | None]
    """The deadline of the current turn, without grace."""
    closes_at: Mapped[datetime | None]
    """Until when the current turn takes orders, and is resolved: the end of the grace."""
    deadline_offset_seconds: Mapped[int | None]
    """The UTC offset of the schedule's zone at the deadline, by the zone data when it was set."""
    scheduled_at: Mapped[datetime | None]
    """The last deadline from the schedule's rule; extensions do not move it."""
    moves: Mapped[int] = mapped_column(default=0)
    """The number of deadline changes; calendar programs use it to find the newest entry."""
    extension_seconds: Mapped[int] = mapped_column(default=7 * 86400)
    """The maximum extension of a turn's deadline."""
    extended_seconds: Mapped[int] = mapped_column(default=0)
    """The extension of the current turn so far, by the GM and by votes; negative if cut short."""
    remaining_seconds: Mapped[int | None]
    """The time left for the turn when the game was put on hold; None if RESUME gives none back."""
    hold_ends_at: Mapped[datetime | None]
    """When the present hold ends by itself, because a GM who plays began it; else None."""
    hold_seconds: Mapped[int] = mapped_column(default=LONGEST_HOLD)
    """How long GMs who play can still hold the current turn."""
    resumed_turn: Mapped[int] = mapped_column(default=0)
    """The last turn in which a vote ended the hold of a GM; no GM can hold it again."""
    bank_seconds: Mapped[int] = mapped_column(default=0)
    """The delay of the first turn that a seat would miss, once for each seat."""
    ready_at: Mapped[datetime | None]
    """The moment at which the turn ends early, because all seats that need orders said FINAL."""
    grace_seconds: Mapped[int] = mapped_column(default=0)
    reminders: Mapped[list[Any]]
    """Seconds before the deadline, longest first."""
    remind_at: Mapped[datetime | None] = mapped_column(default=LONG_AGO)
    """Nobody is reminded before then; None until the game changes."""
    trust: Mapped[str] = mapped_column(default="token")
    """``address`` accepts a letter from the primary address without token or code."""
    missed_limit: Mapped[int] = mapped_column(default=2)
    press_rule: Mapped[PressRule] = mapped_column(enum_of(PressRule), default=PressRule.MET)
    press_anonymous: Mapped[bool] = mapped_column(default=True)
    """Whether messages can be anonymous."""
    standby: Mapped[bool] = mapped_column(default=True)
    """Whether vacant and inactive seats are offered to standbys without the GM."""
    newcomer_turn: Mapped[int] = mapped_column(default=0)
    """The last turn whose deadline was moved for a newcomer."""
    press_at_once: Mapped[bool] = mapped_column(default=False)
    """Whether messages are delivered at once and not with the report."""
    press_broadcast: Mapped[bool] = mapped_column(default=True)
    """Whether a message can go to ALL."""
    press_limit: Mapped[int] = mapped_column(default=20)
    """The maximum number of messages from a seat per turn; 0 for any number."""
    press_kilobytes: Mapped[int] = mapped_column(default=50)
    """The maximum size of all messages from a seat per turn; 0 for any size."""
    options_of_house: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """The house options that the GM set; missing ones have their defaults."""
    rules_version: Mapped[int] = mapped_column(default=1)
    """Incremented when the house rules change."""
    rules_changed_turn: Mapped[int | None]
    """The last turn after the start in which the house rules changed."""
    paused_by_vote: Mapped[bool] = mapped_column(default=False)
    """Whether a vote put the game on hold."""
    stalls: Mapped[int] = mapped_column(default=0)
    """The number of failed attempts in a row to resolve the turn, by a fault on our side."""
    stalled_until: Mapped[datetime | None]
    """The moment of the next attempt."""
    observers_behind: Mapped[int | None]
    """The number of turns that observers are behind; None if the game has no observers."""
    rollbacks: Mapped[int] = mapped_column(default=0)
    """The number of rollbacks."""
    starts_at: Mapped[datetime | None]
    """A full game starts then, or later; LONG_AGO when its GM has written START."""
    call_off_at: Mapped[datetime | None]
    """The moment at which the game is called off if it has not started."""
    for_one: Mapped[bool] = mapped_column(default=False)
    """Whether one person plays it against robots, by PLAY: it has no GM and counts for nothing."""
    code_number: Mapped[int] = mapped_column(default=0)
    """How often the code of a private game was changed; the code follows from it."""
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]

    gms: Mapped[list["GameMaster"]] = relationship(back_populates="game")
    press_rules: Mapped[PressRules] = composite(
        "press_rule",
        "press_anonymous",
        "press_at_once",
        "press_broadcast",
        "press_limit",
        "press_kilobytes",
    )
    """Whom players can write to, and how: set as a whole."""
    seats: Mapped[list["SeatRow"]] = relationship(back_populates="game", order_by="SeatRow.number")

    @property
    def last_turn(self) -> int:
        """The last turn that was resolved, 0 if none was; the number of all turns after the end."""
        return max(self.turn - 1, 0)

    @property
    def left_to_extend(self) -> timedelta:
        """The time by which the deadline of the current turn can still be extended."""
        return timedelta(seconds=max(self.extension_seconds - self.extended_seconds, 0))

    @property
    def due_at(self) -> datetime | None:
        """The deadline that resolves the turn; None if the game is on hold or does not run."""
        return self.deadline_at if self.status is GameStatus.RUNNING else None


class GameMaster(Base):
    """A person who is GM of a game."""

    __tablename__ = "game_masters"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)
    line: Mapped[int] = mapped_column(default=FIRST_LINE)
    """The same for a GM and all whom that GM promoted; the first GM has one of their own."""
    since: Mapped[datetime]
    proposed_at: Mapped[datetime | None]
    """When this GM asked to remove the first GM; None if they did not."""
    heard_at: Mapped[datetime | None]
    """When they last wrote about the game as its GM; None if they have not."""
    last_change: Mapped[dict[str, Any] | None]
    """Their last email that changed the game, for UNDO: what it said, and columns around it."""

    game: Mapped[Game] = relationship(back_populates="gms")
    person: Mapped[Person] = relationship()

    @property
    def is_first(self) -> bool:
        """Whether no other GM can remove them alone."""
        return self.line == FIRST_LINE


class SeatRow(Base):
    """A seat of a game with its holder."""

    __tablename__ = "seats"
    __table_args__ = (
        UniqueConstraint("game_id", "number"),
        UniqueConstraint("game_id", "name"),
        # Tokens name a seat by its id, so the id of a removed seat is never reused.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))
    number: Mapped[int]
    """From 1 to the number of places, in the order of joining."""
    name: Mapped[str]
    """The seat's name in the game: ``CERES``."""
    choices: Mapped[dict[str, Any]]
    """The choices at sign-up: option name to a list, best first."""
    person_id: Mapped[int | None] = mapped_column(ForeignKey("people.id"), index=True)
    """None while the seat is vacant, or played by a robot."""
    robot: Mapped[Strength | None] = mapped_column(enum_of(Strength))
    """The strength of the robot that plays the seat while it has no player, or None."""
    epoch: Mapped[int] = mapped_column(default=1)
    """Incremented when the holder or their address changes; older tokens expire."""
    missed: Mapped[int] = mapped_column(default=0)
    """The number of turns missed in a row."""
    missed_all: Mapped[int] = mapped_column(default=0)
    banked_turn: Mapped[int] = mapped_column(default=0)
    """The turn for which the seat's time bank was spent; 0 if it was not."""
    final_turn: Mapped[int] = mapped_column(default=0)
    """The last turn for which the seat said FINAL."""
    wait_turn: Mapped[int] = mapped_column(default=0)
    """The last turn for which the seat said WAIT."""
    standing: Mapped[list[Any]]
    """Standing orders as canonical texts."""
    joined_at: Mapped[datetime]
    heard_at: Mapped[datetime | None]
    """When the player first wrote for the seat, or asked for it; None if only a GM gave it."""
    eliminated: Mapped[bool] = mapped_column(default=False)
    """Out of the game: it gets default orders, and no turn waits for it."""
    out_turn: Mapped[int] = mapped_column(default=0)
    """The turn since which the rules have eliminated the seat, 0 if they have not."""
    offered_at: Mapped[datetime | None] = mapped_column(index=True)
    """The moment since when the seat is offered to standbys in turn, or None."""
    unfilled_at: Mapped[datetime | None]
    """The moment since when all standbys have been asked and the GMs know it."""

    game: Mapped[Game] = relationship(back_populates="seats")
    person: Mapped[Person | None] = relationship()

    @property
    def is_out(self) -> bool:
        """Whether the seat is eliminated, by the GM, or by the rules up to the current turn."""
        return self.eliminated or 0 < self.out_turn <= self.game.turn


class Sheet(Base):
    """One revision of a seat's order sheet for a turn; the newest one is valid."""

    __tablename__ = "sheets"
    __table_args__ = (UniqueConstraint("seat_id", "turn", "undone", "revision"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    turn: Mapped[int]
    revision: Mapped[int]
    letter_id: Mapped[int] = mapped_column(ForeignKey("inbox.id"))
    orders: Mapped[list[Any]]
    """Canonical texts in the order they were typed."""
    restores_id: Mapped[int | None] = mapped_column(ForeignKey("sheets.id"))
    """The revision that this one, from an UNDO, puts into effect again."""
    withdrawn: Mapped[bool] = mapped_column(default=False)
    """Whether this revision leaves no orders on file."""
    undone: Mapped[int] = mapped_column(default=0)
    """The number of the rollback that undid it; 0 while it is valid."""
    by_gm: Mapped[bool] = mapped_column(default=False)
    """Whether a GM sent its orders, for a seat without an active player."""
    filed_at: Mapped[datetime]

    restores: Mapped["Sheet | None"] = relationship(remote_side="Sheet.id")

    @property
    def origin(self) -> "Sheet":
        """Return the revision that was typed: this one, or the one it restores."""
        return self.restores or self


_APART = text("bundle_id IS NULL")


class TurnRow(Bundled, Base):
    """A turn: the state before it, and after it is resolved, its orders and results."""

    __tablename__ = "turns"
    __table_args__ = (
        UniqueConstraint("game_id", "number", "undone"),
        Index("ix_turns_apart", "resolved_at", sqlite_where=_APART, postgresql_where=_APART),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))
    number: Mapped[int]
    undone: Mapped[int] = mapped_column(default=0)
    """The number of the rollback that undid it; 0 while it is valid."""
    edition: Mapped[str]
    schema: Mapped[int]
    stored: Mapped[bytes] = mapped_column("state")
    digest: Mapped[str]
    """The SHA-256 of the encoded state, for replays."""
    corrections: Mapped[list[Any]] = mapped_column(default=list)
    """The GMs' corrections of the state since the turn began, in the ruleset's notation."""
    sheets: Mapped[dict[str, Any] | None]
    """Seat number to canonical texts, as resolved; None while the turn is running."""
    missed: Mapped[list[Any] | None]
    """The seats without orders of their own; their sheets have generated orders."""
    outcomes: Mapped[dict[str, Any] | None]
    """Seat number to a list of [text, done, reason]."""
    events: Mapped[list[Any] | None]
    """[text, audience, weight, places, heading, told]; an audience of None means everybody."""
    deadline_at: Mapped[datetime | None]
    resolved_at: Mapped[datetime | None]
    told_turn: Mapped[int | None]
    """The turn whose reports told its results; None until then."""

    @property
    def state(self) -> bytes:
        """Return the ruleset's state as encoded by ``referee.store.database.codec``."""
        if self.bundle_id is None:
            return self.stored
        return zlib.compress(self.octets(self.stored))

    @state.setter
    def state(self, content: bytes) -> None:
        self.stored, self.bundle_id = content, None


_OF_NO_GAME = text("game_id IS NULL AND emptied_at IS NULL")


class InboxLetter(Claimed, KeptLetter, Base):
    """A received letter: first the raw bytes, then what was read in it."""

    __tablename__ = "inbox"
    __table_args__ = (
        UniqueConstraint("source", "source_id"),
        Index("ix_inbox_state_lane_is_last_id", "state", "lane", "is_last", "id"),
        Index("ix_inbox_message_id_body_hash", "message_id", "body_hash"),
        Index("ix_inbox_writer_state", "writer", "state"),
        Index("ix_inbox_game_id_bundle_id", "game_id", "bundle_id"),
        Index("ix_inbox_sha256", "sha256"),
        Index("ix_inbox_receipt", "game_id", "seat_number", "receipt", unique=True),
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
    """The hash of the bytes as they were stored."""
    size: Mapped[int]
    """The number of bytes received; of a very long letter, only the beginning is stored."""
    same_as_id: Mapped[int | None] = mapped_column(ForeignKey("inbox.id"), index=True)
    """The letter whose row has the same bytes for both, or None."""
    arrived_at: Mapped[datetime]
    envelope_sender: Mapped[str] = mapped_column(default="")
    envelope_recipient: Mapped[str] = mapped_column(default="")
    network: Mapped[str] = mapped_column(default="")
    """The public network that handed it over, empty if none was seen."""
    writer: Mapped[str] = mapped_column(default="")
    """The address in its From, whose letters are read one at a time; empty if none."""
    lane: Mapped[int] = mapped_column(default=Lane.KNOWN.value)
    """The lane in which it is read, a value of ``Lane``."""
    is_last: Mapped[bool] = mapped_column(default=False)
    """Whether its share of reading is used up, so that others of its lane are read first."""
    state: Mapped[InboxState] = mapped_column(enum_of(InboxState))
    attempts: Mapped[int] = mapped_column(default=0)
    message_id: Mapped[str | None]
    body_hash: Mapped[str | None]
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id"))
    seat_number: Mapped[int | None]
    receipt: Mapped[int | None]
    """The number that people see, counted for each seat; None if the letter is for no seat."""
    holder_id: Mapped[int | None] = mapped_column(ForeignKey("people.id"), index=True)
    """The holder of the seat when the letter was accepted; a successor cannot see it."""
    trust: Mapped[str | None]
    """The level of trust, in small letters: ``token``, ``aligned``, ``code``, ``none`` and more."""
    covers: Mapped[str | None]
    """The names of the fields that its signature covers, if it was read by that."""
    asked: Mapped[dict[str, Any] | None]
    """For a pending letter: the id of the person asked, the seat's id and epoch, the turn, and the
    lines that wait if the rest was done."""
    note: Mapped[str] = mapped_column(default="")
    """The result for the operator, in a few words, without its text, addresses or codes."""
    read_at: Mapped[datetime | None]

    same_as: Mapped["InboxLetter | None"] = relationship(remote_side="InboxLetter.id")

    def end_question(self, note: str) -> None:
        """End the wait for a confirmation: the lines that waited are not done."""
        if self.state in (InboxState.HELD, InboxState.UNASKED):
            self.state = InboxState.READ if self.is_done_in_part else InboxState.IGNORED
            self.note = note

    @property
    def is_done_in_part(self) -> bool:
        """Whether only some lines of the letter waited, or wait, for a confirmation."""
        return self.asked is not None and bool(self.asked.get("lines"))

    def octets(self, stored: bytes) -> bytes:
        """Return the bytes, from whichever row or bundle has them.

        Another row is loaded lazily, so this works only in the row's transaction.
        """
        if self.bundle_id is None and self.same_as_id is not None and self.same_as is not None:
            return self.same_as.raw
        return super().octets(stored)


_ANSWERS = text("state = 'waiting' AND answers_id IS NOT NULL")


class OutboxLetter(Claimed, KeptLetter, Base):
    """A finished letter that waits to be sent, or was sent."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_state_due_at", "state", "due_at"),
        # Answers are looked for first, however many other letters wait.
        Index("ix_outbox_answers", "due_at", sqlite_where=_ANSWERS, postgresql_where=_ANSWERS),
        Index("ix_outbox_kind_created_at", "kind", "created_at"),
        Index("ix_outbox_recipient", "recipient"),
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
    """The kind of letter, named like its template: ``acknowledgement``."""
    answers_id: Mapped[int | None] = mapped_column(ForeignKey("inbox.id"), index=True)
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id"))
    seat_number: Mapped[int | None]
    turn: Mapped[int | None]
    envelope_sender: Mapped[str] = mapped_column(index=True)
    recipient: Mapped[str]
    state: Mapped[OutboxState] = mapped_column(enum_of(OutboxState))
    share: Mapped[SendShare] = mapped_column(enum_of(SendShare))
    created_at: Mapped[datetime]
    due_at: Mapped[datetime]
    attempts: Mapped[int] = mapped_column(default=0)
    error: Mapped[str] = mapped_column(default="")
    sent_at: Mapped[datetime | None]
