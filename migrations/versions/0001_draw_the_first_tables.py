"""Draw the first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the tables of the revision before to this one."""
    op.create_table(
        "reply_counts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("thread", sa.String(), nullable=False),
        sa.Column("ration", sa.String(20), nullable=False),
        sa.Column("proven", sa.Boolean(), nullable=False),
        sa.Column("domain", sa.String(), nullable=False),
        sa.Column("octets", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reply_counts")),
    )
    with op.batch_alter_table("reply_counts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reply_counts_at"), ["at"], unique=False)
        batch_op.create_index("ix_reply_counts_recipient_at", ["recipient", "at"], unique=False)

    op.create_table(
        "games",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("edition", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("schedule", sa.String(), nullable=False),
        sa.Column("deadline_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("scheduled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("extension_seconds", sa.Integer(), nullable=False),
        sa.Column("extended_seconds", sa.Integer(), nullable=False),
        sa.Column("remaining_seconds", sa.Integer(), nullable=True),
        sa.Column("bank_seconds", sa.Integer(), nullable=False),
        sa.Column("ready_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("grace_seconds", sa.Integer(), nullable=False),
        sa.Column("reminders", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("remind_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("trust", sa.String(), nullable=False),
        sa.Column("missed_limit", sa.Integer(), nullable=False),
        sa.Column("press_rule", sa.String(20), nullable=False),
        sa.Column("press_anonymous", sa.Boolean(), nullable=False),
        sa.Column("standby", sa.Boolean(), nullable=False),
        sa.Column("gms_may_play", sa.Boolean(), nullable=False),
        sa.Column("newcomer_turn", sa.Integer(), nullable=False),
        sa.Column("press_at_once", sa.Boolean(), nullable=False),
        sa.Column("press_broadcast", sa.Boolean(), nullable=False),
        sa.Column("press_limit", sa.Integer(), nullable=False),
        sa.Column("press_kilobytes", sa.Integer(), nullable=False),
        sa.Column("options_of_house", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("rules_changed_turn", sa.Integer(), nullable=True),
        sa.Column("paused_by_vote", sa.Boolean(), nullable=False),
        sa.Column("stalls", sa.Integer(), nullable=False),
        sa.Column("stalled_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("observers_behind", sa.Integer(), nullable=True),
        sa.Column("rollbacks", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("name", name=op.f("uq_games_name")),
    )
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.create_index(
            "ix_games_status_deadline_at", ["status", "deadline_at"], unique=False
        )
        batch_op.create_index("ix_games_status_ready_at", ["status", "ready_at"], unique=False)
        batch_op.create_index("ix_games_status_remind_at", ["status", "remind_at"], unique=False)

    op.create_table(
        "mailbox_cursors",
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("last_uid", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("source", name=op.f("pk_mailbox_cursors")),
    )
    op.create_table(
        "mailbox_leases",
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("watermark", sa.DateTime(timezone=True), nullable=True),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("source", name=op.f("pk_mailbox_leases")),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("attachments", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("report_format", sa.String(20), nullable=False),
        sa.Column("reminders", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("digest", sa.Boolean(), nullable=False),
        sa.Column("quiet_from", sa.Time(), nullable=True),
        sa.Column("quiet_until", sa.Time(), nullable=True),
        sa.Column("code_salt", sa.LargeBinary(), nullable=False),
        sa.Column("code_hash", sa.LargeBinary(), nullable=False),
        sa.Column("bounces", sa.Integer(), nullable=False),
        sa.Column("bounced_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("second_address", sa.String(), nullable=True),
        sa.Column("second_bounces", sa.Integer(), nullable=False),
        sa.Column("is_at_second", sa.Boolean(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("forgotten_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fingerprint", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
        sa.UniqueConstraint("address", name=op.f("uq_people_address")),
        sa.UniqueConstraint("second_address", name=op.f("uq_people_second_address")),
    )
    with op.batch_alter_table("people", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_people_bounced_at"), ["bounced_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_people_fingerprint"), ["fingerprint"], unique=False)

    op.create_table(
        "heartbeats",
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("beat_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("behind_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("source", name=op.f("pk_heartbeats")),
    )
    op.create_table(
        "intake_leases",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("watermark", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("owner", name=op.f("pk_intake_leases")),
    )
    op.create_table(
        "address_changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("wished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("proved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("left", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_address_changes_person_id_people")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_address_changes")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("address_changes", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_address_changes_address"), ["address"], unique=False)
        batch_op.create_index(batch_op.f("ix_address_changes_left"), ["left"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_address_changes_person_id"), ["person_id"], unique=False
        )
        batch_op.create_index(
            "ix_address_changes_state_expires_at", ["state", "expires_at"], unique=False
        )

    op.create_table(
        "agenda",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("topic", sa.String(20), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_agenda_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", "topic", name=op.f("pk_agenda")),
    )
    with op.batch_alter_table("agenda", schema=None) as batch_op:
        batch_op.create_index("ix_agenda_topic_at", ["topic", "at"], unique=False)

    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("told_turn", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_audit_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_audit_game_id"), ["game_id"], unique=False)

    op.create_table(
        "bundles",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_stale", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_bundles_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bundles")),
    )
    with op.batch_alter_table("bundles", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_bundles_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_bundles_is_stale"), ["is_stale"], unique=False)

    op.create_table(
        "game_masters",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("proposed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_game_masters_game_id_games")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_game_masters_person_id_people")
        ),
        sa.PrimaryKeyConstraint("game_id", "person_id", name=op.f("pk_game_masters")),
    )
    op.create_table(
        "observers",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("read_turn", sa.Integer(), nullable=False),
        sa.Column("removed", sa.Boolean(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_observers_game_id_games")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_observers_person_id_people")
        ),
        sa.PrimaryKeyConstraint("game_id", "person_id", name=op.f("pk_observers")),
    )
    op.create_table(
        "seats",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("choices", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("missed_all", sa.Integer(), nullable=False),
        sa.Column("banked_turn", sa.Integer(), nullable=False),
        sa.Column("final_turn", sa.Integer(), nullable=False),
        sa.Column("wait_turn", sa.Integer(), nullable=False),
        sa.Column("standing", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("eliminated", sa.Boolean(), nullable=False),
        sa.Column("offered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("unfilled_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id_games")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_seats_person_id_people")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seats")),
        sa.UniqueConstraint("game_id", "name", name=op.f("uq_seats_game_id_name")),
        sa.UniqueConstraint("game_id", "number", name=op.f("uq_seats_game_id_number")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seats_offered_at"), ["offered_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_seats_person_id"), ["person_id"], unique=False)

    op.create_table(
        "standbys",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_standbys_person_id_people")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_standbys")),
        sa.UniqueConstraint("person_id", "scope", name=op.f("uq_standbys_person_id_scope")),
    )
    with op.batch_alter_table("standbys", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_standbys_person_id"), ["person_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_standbys_scope"), ["scope"], unique=False)

    op.create_table(
        "votes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("motion", sa.String(20), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=False),
        sa.Column("quorum", sa.String(20), nullable=False),
        sa.Column("secret", sa.Boolean(), nullable=False),
        sa.Column("opened_by", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closes_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("outcome", sa.String(20), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("result", sa.String(), nullable=False),
        sa.Column("told_turn", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_votes_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_votes")),
    )
    with op.batch_alter_table("votes", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_votes_game_id"), ["game_id"], unique=False)
        batch_op.create_index("ix_votes_outcome_closes_at", ["outcome", "closes_at"], unique=False)

    op.create_table(
        "wrong_codes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_wrong_codes_person_id_people")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_wrong_codes")),
    )
    with op.batch_alter_table("wrong_codes", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_wrong_codes_at"), ["at"], unique=False)
        batch_op.create_index(batch_op.f("ix_wrong_codes_person_id"), ["person_id"], unique=False)

    op.create_table(
        "absences",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("begins_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("reminded", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_absences_person_id_people")
        ),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_absences_seat_id_seats")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_absences")),
    )
    with op.batch_alter_table("absences", schema=None) as batch_op:
        batch_op.create_index(
            "ix_absences_reminded_begins_at", ["reminded", "begins_at"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_absences_seat_id"), ["seat_id"], unique=False)

    op.create_table(
        "attendances",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("punctuality", sa.String(20), nullable=False),
        sa.Column("undone", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_attendances_person_id_people")
        ),
        sa.ForeignKeyConstraint(
            ["seat_id"], ["seats.id"], name=op.f("fk_attendances_seat_id_seats")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attendances")),
        sa.UniqueConstraint(
            "seat_id", "turn", "undone", name=op.f("uq_attendances_seat_id_turn_undone")
        ),
    )
    with op.batch_alter_table("attendances", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_attendances_person_id"), ["person_id"], unique=False)

    op.create_table(
        "ballots",
        sa.Column("vote_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("yes", sa.Boolean(), nullable=False),
        sa.Column("cast_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_ballots_person_id_people")
        ),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_ballots_seat_id_seats")),
        sa.ForeignKeyConstraint(["vote_id"], ["votes.id"], name=op.f("fk_ballots_vote_id_votes")),
        sa.PrimaryKeyConstraint("vote_id", "seat_id", name=op.f("pk_ballots")),
    )
    op.create_table(
        "deputies",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("begins_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("by_gm", sa.Boolean(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_deputies_person_id_people")
        ),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_deputies_seat_id_seats")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deputies")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("deputies", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_deputies_seat_id"), ["seat_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_deputies_state"), ["state"], unique=False)

    op.create_table(
        "pending_notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_pending_notices_game_id_games")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_pending_notices_person_id_people")
        ),
        sa.ForeignKeyConstraint(
            ["seat_id"],
            ["seats.id"],
            name=op.f("fk_pending_notices_seat_id_seats"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pending_notices")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("pending_notices", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_pending_notices_due_at"), ["due_at"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_pending_notices_person_id"), ["person_id"], unique=False
        )

    op.create_table(
        "intake_counts",
        sa.Column("day", sa.DateTime(timezone=True), nullable=False),
        sa.Column("purse", sa.String(), nullable=False),
        sa.Column("octets", sa.BigInteger(), nullable=False),
        sa.Column("warned", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("day", "purse", name=op.f("pk_intake_counts")),
    )
    op.create_table(
        "inbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("same_as_id", sa.Integer(), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("emptied_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("arrived_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("envelope_sender", sa.String(), nullable=False),
        sa.Column("envelope_recipient", sa.String(), nullable=False),
        sa.Column("writer", sa.String(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=True),
        sa.Column("body_hash", sa.String(), nullable=True),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat_number", sa.Integer(), nullable=True),
        sa.Column("holder_id", sa.Integer(), nullable=True),
        sa.Column("trust", sa.String(), nullable=True),
        sa.Column("asked", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("bundle_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["bundle_id"], ["bundles.id"], name=op.f("fk_inbox_bundle_id_bundles")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_inbox_game_id_games")),
        sa.ForeignKeyConstraint(
            ["holder_id"], ["people.id"], name=op.f("fk_inbox_holder_id_people")
        ),
        sa.ForeignKeyConstraint(
            ["same_as_id"], ["inbox.id"], name=op.f("fk_inbox_same_as_id_inbox")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox")),
        sa.UniqueConstraint("source", "source_id", name=op.f("uq_inbox_source_source_id")),
    )
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.create_index("ix_inbox_game_id_bundle_id", ["game_id", "bundle_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_inbox_holder_id"), ["holder_id"], unique=False)
        batch_op.create_index("ix_inbox_writer", ["writer"], unique=False)
        batch_op.create_index(
            "ix_inbox_message_id_body_hash", ["message_id", "body_hash"], unique=False
        )
        batch_op.create_index(
            "ix_inbox_of_no_game",
            ["state", "read_at"],
            unique=False,
            sqlite_where=sa.text("game_id IS NULL AND emptied_at IS NULL"),
            postgresql_where=sa.text("game_id IS NULL AND emptied_at IS NULL"),
        )
        batch_op.create_index(batch_op.f("ix_inbox_same_as_id"), ["same_as_id"], unique=False)
        batch_op.create_index("ix_inbox_sha256", ["sha256"], unique=False)
        batch_op.create_index("ix_inbox_state_id", ["state", "id"], unique=False)

    op.create_table(
        "former_players",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_former_players_game_id_games")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_former_players_person_id_people")
        ),
        sa.ForeignKeyConstraint(
            ["seat_id"], ["seats.id"], name=op.f("fk_former_players_seat_id_seats")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_former_players")),
    )
    with op.batch_alter_table("former_players", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_former_players_game_id"), ["game_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_former_players_person_id"), ["person_id"], unique=False
        )

    op.create_table(
        "offers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_offers_person_id_people")
        ),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_offers_seat_id_seats")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_offers")),
    )
    with op.batch_alter_table("offers", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_offers_person_id"), ["person_id"], unique=False)
        batch_op.create_index("ix_offers_seat_id_made_at", ["seat_id", "made_at"], unique=False)
        batch_op.create_index("ix_offers_state_seat_id", ["state", "seat_id"], unique=False)

    op.create_table(
        "postponements",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(20), nullable=False),
        sa.Column("subject", sa.Integer(), nullable=False),
        sa.Column("before", sa.DateTime(timezone=True), nullable=False),
        sa.Column("after", sa.DateTime(timezone=True), nullable=False),
        sa.Column("moved_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_postponements_game_id_games")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_postponements")),
    )
    with op.batch_alter_table("postponements", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_postponements_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_postponements_moved_at"), ["moved_at"], unique=False)

    op.create_table(
        "reminded",
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_reminded_seat_id_seats")),
        sa.PrimaryKeyConstraint("seat_id", "turn", "step", name=op.f("pk_reminded")),
    )
    op.create_table(
        "turns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("undone", sa.Integer(), nullable=False),
        sa.Column("edition", sa.String(), nullable=False),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("corrections", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("sheets", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("missed", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("outcomes", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("events", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("deadline_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("resolved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("bundle_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["bundle_id"], ["bundles.id"], name=op.f("fk_turns_bundle_id_bundles")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_turns_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turns")),
        sa.UniqueConstraint(
            "game_id", "number", "undone", name=op.f("uq_turns_game_id_number_undone")
        ),
    )
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.create_index(
            "ix_turns_apart",
            ["resolved_at"],
            unique=False,
            sqlite_where=sa.text("bundle_id IS NULL"),
            postgresql_where=sa.text("bundle_id IS NULL"),
        )

    op.create_table(
        "undo_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("before", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("after", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("undone_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["letter_id"], ["inbox.id"], name=op.f("fk_undo_log_letter_id_inbox")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_undo_log_person_id_people")
        ),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_undo_log_seat_id_seats")),
        sa.ForeignKeyConstraint(
            ["undone_id"], ["inbox.id"], name=op.f("fk_undo_log_undone_id_inbox")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_undo_log")),
    )
    with op.batch_alter_table("undo_log", schema=None) as batch_op:
        batch_op.create_index(
            "ix_undo_log_seat_id_letter_id", ["seat_id", "letter_id"], unique=False
        )

    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("answers_id", sa.Integer(), nullable=True),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat_number", sa.Integer(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("envelope_sender", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("emptied_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("share", sa.String(20), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("bundle_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["answers_id"], ["inbox.id"], name=op.f("fk_outbox_answers_id_inbox")
        ),
        sa.ForeignKeyConstraint(
            ["bundle_id"], ["bundles.id"], name=op.f("fk_outbox_bundle_id_bundles")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_outbox_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_message_id")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index(
            "ix_outbox_answers",
            ["due_at"],
            unique=False,
            sqlite_where=sa.text("state = 'waiting' AND answers_id IS NOT NULL"),
            postgresql_where=sa.text("state = 'waiting' AND answers_id IS NOT NULL"),
        )
        batch_op.create_index(batch_op.f("ix_outbox_answers_id"), ["answers_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_outbox_envelope_sender"), ["envelope_sender"], unique=False
        )
        batch_op.create_index("ix_outbox_game_id_bundle_id", ["game_id", "bundle_id"], unique=False)
        batch_op.create_index("ix_outbox_kind_created_at", ["kind", "created_at"], unique=False)
        batch_op.create_index("ix_outbox_recipient", ["recipient"], unique=False)
        batch_op.create_index(
            "ix_outbox_of_no_game",
            ["state", "created_at"],
            unique=False,
            sqlite_where=sa.text("game_id IS NULL AND emptied_at IS NULL"),
            postgresql_where=sa.text("game_id IS NULL AND emptied_at IS NULL"),
        )
        batch_op.create_index("ix_outbox_state_due_at", ["state", "due_at"], unique=False)

    op.create_table(
        "press",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("sender", sa.Integer(), nullable=False),
        sa.Column("anonymous", sa.Boolean(), nullable=False),
        sa.Column("recipients", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("receipt", sa.Boolean(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("delivered_turn", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_press_game_id_games")),
        sa.ForeignKeyConstraint(["letter_id"], ["inbox.id"], name=op.f("fk_press_letter_id_inbox")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_press")),
    )
    with op.batch_alter_table("press", schema=None) as batch_op:
        batch_op.create_index(
            "ix_press_delivered_turn_due_at", ["delivered_turn", "due_at"], unique=False
        )
        batch_op.create_index(
            "ix_press_game_id_delivered_turn", ["game_id", "delivered_turn"], unique=False
        )

    op.create_table(
        "sheets",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("orders", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("restores_id", sa.Integer(), nullable=True),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.Column("undone", sa.Integer(), nullable=False),
        sa.Column("filed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["letter_id"], ["inbox.id"], name=op.f("fk_sheets_letter_id_inbox")
        ),
        sa.ForeignKeyConstraint(
            ["restores_id"], ["sheets.id"], name=op.f("fk_sheets_restores_id_sheets")
        ),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_sheets_seat_id_seats")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sheets")),
        sa.UniqueConstraint(
            "seat_id",
            "turn",
            "undone",
            "revision",
            name=op.f("uq_sheets_seat_id_turn_undone_revision"),
        ),
    )
