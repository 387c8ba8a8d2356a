"""The register of moments: every stored time at which the referee does something.

The steps of the loop, outages, wrong clocks and the operator's guide read this table. A column that
holds a time is in ``REGISTER`` or in ``RECORDS``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

UNTRUSTED: Final = "heartbeats.settled_at"
"""The row of the register that says until when the time is not trusted."""


class AfterGap(Enum):
    """The fate of a moment after an outage, or while our clock was wrong.

    Both look alike at first: a time that is far from the last heartbeat.
    """

    MOVES = "gets the lost time back; waits for a trusted time"
    WAITS = "stays; waits for a trusted time"
    AGAIN = "begins again"
    FOLLOWS = "follows what it belongs to"
    STAYS = "stays, because it ends nothing"


@dataclass(frozen=True, slots=True)
class StoredMoment:
    """A moment: its origin, its effect, the command that undoes that, and the people notified."""

    sets: str
    does: str
    undoes: str
    after: AfterGap
    told: str


_NOBODY: Final = "nobody"
_ALL: Final = "players, GMs"

REGISTER: Final[Mapping[str, StoredMoment]] = {
    "games.deadline_at": StoredMoment(
        "schedule, GM, vote", "orders are late", "EXTEND", AfterGap.MOVES, _ALL
    ),
    "games.closes_at": StoredMoment(
        "deadline, OPTION GRACE", "turn resolved", "ROLLBACK", AfterGap.FOLLOWS, _ALL
    ),
    "games.ready_at": StoredMoment(
        "last FINAL", "turn resolved early", "ROLLBACK", AfterGap.AGAIN, _ALL
    ),
    "games.remind_at": StoredMoment(
        "OPTION REMINDERS", "reminders sent", "nothing", AfterGap.WAITS, "who owes orders"
    ),
    "games.hold_ends_at": StoredMoment(
        "HOLD by a GM who plays", "game resumed", "HOLD", AfterGap.WAITS, _ALL
    ),
    "games.starts_at": StoredMoment("START ON", "game starts", "nothing", AfterGap.WAITS, _ALL),
    "games.call_off_at": StoredMoment(
        "CALL OFF", "game called off", "nothing", AfterGap.MOVES, "all who joined"
    ),
    "games.stalled_until": StoredMoment(
        "failed turn", "turn tried again", "nothing needed", AfterGap.STAYS, "operator"
    ),
    "votes.closes_at": StoredMoment(
        "VOTE", "vote closed", "another vote, if no game ended", AfterGap.MOVES, _ALL
    ),
    "offers.until": StoredMoment(
        "vacancy", "seat offered to the next standby", "nothing", AfterGap.MOVES, _NOBODY
    ),
    "deputies.begins_at": StoredMoment(
        "DEPUTY", "deputy begins and gets the report", "nothing", AfterGap.WAITS, "the deputy"
    ),
    "deputies.ends_at": StoredMoment(
        "DEPUTY", "deputy ends", "DEPUTY, once more", AfterGap.WAITS, "the deputy"
    ),
    "absences.begins_at": StoredMoment(
        "ABSENT", "reminded the day before", "nothing", AfterGap.WAITS, "the player"
    ),
    "absences.ends_at": StoredMoment(
        "ABSENT", "missed turns count again", "nothing needed", AfterGap.STAYS, _NOBODY
    ),
    "address_changes.expires_at": StoredMoment(
        "SET ADDRESS, FORGET ME",
        "request expires",
        "the command again",
        AfterGap.MOVES,
        "who asked",
    ),
    "inbox.read_at": StoredMoment(
        "an email", "its CONFIRM expires, its text is deleted", "nothing", AfterGap.MOVES, _NOBODY
    ),
    "press.due_at": StoredMoment(
        "press, dated or not", "message delivered", "nothing", AfterGap.WAITS, "its readers"
    ),
    "press.wanted_at": StoredMoment(
        "PRESS with a date", "sets when it is delivered", "CANCEL", AfterGap.FOLLOWS, _NOBODY
    ),
    "pending_notices.due_at": StoredMoment(
        "a notice that can wait", "daily email sent", "nothing", AfterGap.WAITS, "its reader"
    ),
    "outbox.due_at": StoredMoment(
        "an email of ours", "sent, or tried again", "nothing", AfterGap.STAYS, "its reader"
    ),
    "outbox.created_at": StoredMoment(
        "an email of ours", "its text is deleted", "nothing", AfterGap.WAITS, _NOBODY
    ),
    "call_outs.due_at": StoredMoment(
        "a public event", "posted, or tried again", "nothing", AfterGap.STAYS, "readers of the hook"
    ),
    "call_outs.created_at": StoredMoment(
        "a public event", "forgotten 30 days later", "nothing", AfterGap.WAITS, _NOBODY
    ),
    "bookings.minute": StoredMoment(
        "what emails use up", "forgotten a day later", "nothing", AfterGap.WAITS, _NOBODY
    ),
    "postponements.moved_at": StoredMoment(
        "outage", "no longer undone 400 days later", "nothing", AfterGap.WAITS, _NOBODY
    ),
    "turns.resolved_at": StoredMoment(
        "resolved turn", "its state is compressed", "nothing needed", AfterGap.WAITS, _NOBODY
    ),
    "agenda.at": StoredMoment(
        "any change of a game",
        "its other moments looked at",
        "nothing needed",
        AfterGap.FOLLOWS,
        _NOBODY,
    ),
    UNTRUSTED: StoredMoment(
        "outage, jump of the clock",
        "the time is trusted again",
        "another jump",
        AfterGap.STAYS,
        "operator",
    ),
    "heartbeats.behind_at": StoredMoment(
        "clock set back", "that clock is trusted", "nothing needed", AfterGap.STAYS, "operator"
    ),
    **{
        f"{table}.lease_until": StoredMoment(
            "a claim", "another program can claim it", "nothing needed", AfterGap.STAYS, _NOBODY
        )
        for table in ("games", "inbox", "outbox", "call_outs", "intake_leases", "mailbox_leases")
    },
}
"""The moments at which something happens, by table and column."""

RECORDS: Final = frozenset(
    {
        *(f"games.{name}_at" for name in ("scheduled", "created", "started", "ended")),
        *("heartbeats.beat_at", "heartbeats.doubted_at"),
        *("intake_leases.watermark", "mailbox_leases.watermark"),
        *(f"people.{name}_at" for name in ("bounced", "created", "forgotten")),
        *(f"address_changes.{name}_at" for name in ("asked", "wished", "proved")),
        *("admissions.since", "audit.at", "bundles.made_at", "observers.since", "standbys.since"),
        *(f"game_masters.{name}" for name in ("since", "proposed_at", "heard_at")),
        *("postponements.before", "postponements.after"),
        *("rule_packs.saved_at", "former_players.at", "offers.made_at", "deputies.asked_at"),
        *(f"seats.{name}_at" for name in ("joined", "heard", "offered", "unfilled")),
        *("votes.opened_at", "votes.closed_at", "ballots.cast_at", "sheets.filed_at"),
        *("inbox.arrived_at", "inbox.emptied_at", "outbox.sent_at", "outbox.emptied_at"),
        *("pending_notices.written_at", "turns.deadline_at", "diary_entries.written_at"),
    }
)
"""The columns that record the past: nothing happens at these times by themselves."""


def that(after: AfterGap) -> frozenset[str]:
    """Return the moments of the register with which this happens after a gap."""
    return frozenset(name for name, moment in REGISTER.items() if moment.after is after)
