"""Draw the tables of the first release."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Draw all tables, for a database that has none."""
    op.create_table(
        "bookings",
        sa.Column("thing", sa.String(length=20), nullable=False),
        sa.Column("purse", sa.String(), nullable=False),
        sa.Column("minute", sa.DateTime(timezone=True), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("thing", "purse", "minute", name=op.f("pk_bookings")),
    )
    op.create_index(op.f("ix_bookings_minute"), "bookings", ["minute"])

    op.create_table(
        "games",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("schedule", sa.String(), nullable=False),
        sa.Column("deadline_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closes_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deadline_offset_seconds", sa.Integer(), nullable=True),
        sa.Column("scheduled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("extension_seconds", sa.Integer(), nullable=False),
        sa.Column("extended_seconds", sa.Integer(), nullable=False),
        sa.Column("remaining_seconds", sa.Integer(), nullable=True),
        sa.Column("hold_ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("hold_seconds", sa.Integer(), nullable=False),
        sa.Column("resumed_turn", sa.Integer(), nullable=False),
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
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("call_off_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("for_one", sa.Boolean(), nullable=False),
        sa.Column("code_number", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("name", name=op.f("uq_games_name")),
    )
    op.create_index("ix_games_status_closes_at", "games", ["status", "closes_at"])
    op.create_index("ix_games_status_deadline_at", "games", ["status", "deadline_at"])
    op.create_index("ix_games_status_ready_at", "games", ["status", "ready_at"])
    op.create_index("ix_games_status_remind_at", "games", ["status", "remind_at"])
    op.create_index("ix_games_status_stalled_until", "games", ["status", "stalled_until"])

    op.create_table(
        "heartbeats",
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("beat_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("behind_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("doubted_at", sa.DateTime(timezone=True), nullable=True),
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
        "mailbox_cursors",
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("last_uid", sa.BigInteger(), nullable=False),
        sa.Column("withheld", sa.JSON(none_as_null=True), nullable=False),
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
        sa.Column("account", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("attachments", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("report_format", sa.String(20), nullable=False),
        sa.Column("reminders", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("digest", sa.Boolean(), nullable=False),
        sa.Column("html", sa.Boolean(), nullable=True),
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
        sa.Column("signs", sa.String(), nullable=True),
        sa.Column("forgotten_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fingerprint", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
        sa.UniqueConstraint("account", name=op.f("uq_people_account")),
        sa.UniqueConstraint("address", name=op.f("uq_people_address")),
        sa.UniqueConstraint("second_address", name=op.f("uq_people_second_address")),
    )
    op.create_index(op.f("ix_people_bounced_at"), "people", ["bounced_at"])
    op.create_index(op.f("ix_people_fingerprint"), "people", ["fingerprint"])

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
    op.create_index(op.f("ix_address_changes_address"), "address_changes", ["address"])
    op.create_index(op.f("ix_address_changes_left"), "address_changes", ["left"])
    op.create_index(op.f("ix_address_changes_person_id"), "address_changes", ["person_id"])
    op.create_index(
        "ix_address_changes_state_expires_at", "address_changes", ["state", "expires_at"]
    )

    op.create_table(
        "admissions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("wish", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_admissions_game_id_games")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_admissions_person_id_people")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_admissions")),
    )
    op.create_index(op.f("ix_admissions_game_id"), "admissions", ["game_id"])
    op.create_index(op.f("ix_admissions_person_id"), "admissions", ["person_id"])

    op.create_table(
        "agenda",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("topic", sa.String(20), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_agenda_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", "topic", name=op.f("pk_agenda")),
    )
    op.create_index("ix_agenda_at_topic", "agenda", ["at", "topic"])

    op.create_table(
        "agreements",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(20), nullable=False),
        sa.Column("agrees", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_agreements_game_id_games")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_agreements_person_id_people")
        ),
        sa.PrimaryKeyConstraint("game_id", "person_id", "part", name=op.f("pk_agreements")),
    )
    op.create_index(op.f("ix_agreements_person_id"), "agreements", ["person_id"])

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
    op.create_index(op.f("ix_audit_game_id"), "audit", ["game_id"])

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
    op.create_index(op.f("ix_bundles_game_id"), "bundles", ["game_id"])
    op.create_index(op.f("ix_bundles_is_stale"), "bundles", ["is_stale"])

    op.create_table(
        "call_outs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("call_id", sa.String(), nullable=False),
        sa.Column("hook", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_call_outs_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_call_outs")),
        sa.UniqueConstraint("call_id", name=op.f("uq_call_outs_call_id")),
    )
    op.create_index(op.f("ix_call_outs_created_at"), "call_outs", ["created_at"])
    op.create_index("ix_call_outs_state_due_at", "call_outs", ["state", "due_at"])

    op.create_table(
        "game_masters",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("proposed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("heard_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_change", sa.JSON(none_as_null=True), nullable=True),
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
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_observers_game_id_games")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_observers_person_id_people")
        ),
        sa.PrimaryKeyConstraint("game_id", "person_id", name=op.f("pk_observers")),
    )
    op.create_table(
        "postponements",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("subject", sa.Integer(), nullable=False),
        sa.Column("before", sa.DateTime(timezone=True), nullable=False),
        sa.Column("after", sa.DateTime(timezone=True), nullable=False),
        sa.Column("moved_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_postponements_game_id_games")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_postponements")),
    )
    op.create_index(op.f("ix_postponements_game_id"), "postponements", ["game_id"])
    op.create_index(op.f("ix_postponements_moved_at"), "postponements", ["moved_at"])
    op.create_index("ix_postponements_what_after", "postponements", ["what", "after"])

    op.create_table(
        "rule_packs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("schedule", sa.String(), nullable=False),
        sa.Column("settings", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("press", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("of_ruleset", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_rule_packs_person_id_people")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rule_packs")),
        sa.UniqueConstraint("person_id", "name", name=op.f("uq_rule_packs_person_id_name")),
    )
    op.create_index(op.f("ix_rule_packs_person_id"), "rule_packs", ["person_id"])

    op.create_table(
        "seats",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("choices", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("robot", sa.String(20), nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("missed_all", sa.Integer(), nullable=False),
        sa.Column("banked_turn", sa.Integer(), nullable=False),
        sa.Column("final_turn", sa.Integer(), nullable=False),
        sa.Column("wait_turn", sa.Integer(), nullable=False),
        sa.Column("standing", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("heard_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("eliminated", sa.Boolean(), nullable=False),
        sa.Column("out_turn", sa.Integer(), nullable=False),
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
    op.create_index(op.f("ix_seats_offered_at"), "seats", ["offered_at"])
    op.create_index(op.f("ix_seats_person_id"), "seats", ["person_id"])

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
    op.create_index(op.f("ix_standbys_person_id"), "standbys", ["person_id"])
    op.create_index(op.f("ix_standbys_scope"), "standbys", ["scope"])

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
    op.create_index(op.f("ix_votes_game_id"), "votes", ["game_id"])
    op.create_index("ix_votes_outcome_closes_at", "votes", ["outcome", "closes_at"])

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
    op.create_index("ix_absences_reminded_begins_at", "absences", ["reminded", "begins_at"])
    op.create_index(op.f("ix_absences_seat_id"), "absences", ["seat_id"])

    op.create_table(
        "attendances",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
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
    op.create_index(op.f("ix_attendances_person_id"), "attendances", ["person_id"])

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
    op.create_index(op.f("ix_deputies_seat_id"), "deputies", ["seat_id"])
    op.create_index(op.f("ix_deputies_state"), "deputies", ["state"])

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
    op.create_index(op.f("ix_former_players_game_id"), "former_players", ["game_id"])
    op.create_index(op.f("ix_former_players_person_id"), "former_players", ["person_id"])

    op.create_table(
        "inbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("same_as_id", sa.Integer(), nullable=True),
        sa.Column("arrived_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("envelope_sender", sa.String(), nullable=False),
        sa.Column("envelope_recipient", sa.String(), nullable=False),
        sa.Column("network", sa.String(), nullable=False),
        sa.Column("writer", sa.String(), nullable=False),
        sa.Column("lane", sa.Integer(), nullable=False),
        sa.Column("is_last", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=True),
        sa.Column("body_hash", sa.String(), nullable=True),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat_number", sa.Integer(), nullable=True),
        sa.Column("receipt", sa.Integer(), nullable=True),
        sa.Column("holder_id", sa.Integer(), nullable=True),
        sa.Column("trust", sa.String(), nullable=True),
        sa.Column("covers", sa.String(), nullable=True),
        sa.Column("asked", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("emptied_at", sa.DateTime(timezone=True), nullable=True),
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
    op.create_index("ix_inbox_game_id_bundle_id", "inbox", ["game_id", "bundle_id"])
    op.create_index(op.f("ix_inbox_holder_id"), "inbox", ["holder_id"])
    op.create_index("ix_inbox_message_id_body_hash", "inbox", ["message_id", "body_hash"])
    op.create_index(
        "ix_inbox_of_no_game",
        "inbox",
        ["state", "read_at"],
        unique=False,
        sqlite_where=sa.text("game_id IS NULL AND emptied_at IS NULL"),
        postgresql_where=sa.text("game_id IS NULL AND emptied_at IS NULL"),
    )
    op.create_index("ix_inbox_receipt", "inbox", ["game_id", "seat_number", "receipt"], unique=True)
    op.create_index(op.f("ix_inbox_same_as_id"), "inbox", ["same_as_id"])
    op.create_index("ix_inbox_sha256", "inbox", ["sha256"])
    op.create_index("ix_inbox_state_lane_is_last_id", "inbox", ["state", "lane", "is_last", "id"])
    op.create_index("ix_inbox_writer_state", "inbox", ["writer", "state"])

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
    op.create_index(op.f("ix_offers_person_id"), "offers", ["person_id"])
    op.create_index("ix_offers_seat_id_made_at", "offers", ["seat_id", "made_at"])
    op.create_index("ix_offers_state_seat_id", "offers", ["state", "seat_id"])

    op.create_table(
        "pending_notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("html", sa.String(), nullable=False),
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
    op.create_index(op.f("ix_pending_notices_due_at"), "pending_notices", ["due_at"])
    op.create_index(op.f("ix_pending_notices_person_id"), "pending_notices", ["person_id"])

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
        sa.Column("told_turn", sa.Integer(), nullable=True),
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
    op.create_index(
        "ix_turns_apart",
        "turns",
        ["resolved_at"],
        unique=False,
        sqlite_where=sa.text("bundle_id IS NULL"),
        postgresql_where=sa.text("bundle_id IS NULL"),
    )

    op.create_table(
        "diary_entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("seat_number", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_diary_entries_game_id_games")
        ),
        sa.ForeignKeyConstraint(
            ["letter_id"], ["inbox.id"], name=op.f("fk_diary_entries_letter_id_inbox")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_diary_entries_person_id_people")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_diary_entries")),
        sa.UniqueConstraint(
            "game_id", "person_id", "number", name=op.f("uq_diary_entries_game_id_person_id_number")
        ),
    )
    op.create_index(op.f("ix_diary_entries_person_id"), "diary_entries", ["person_id"])

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
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("emptied_at", sa.DateTime(timezone=True), nullable=True),
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
    op.create_index(
        "ix_outbox_answers",
        "outbox",
        ["due_at"],
        unique=False,
        sqlite_where=sa.text("state = 'waiting' AND answers_id IS NOT NULL"),
        postgresql_where=sa.text("state = 'waiting' AND answers_id IS NOT NULL"),
    )
    op.create_index(op.f("ix_outbox_answers_id"), "outbox", ["answers_id"])
    op.create_index(op.f("ix_outbox_envelope_sender"), "outbox", ["envelope_sender"])
    op.create_index("ix_outbox_game_id_bundle_id", "outbox", ["game_id", "bundle_id"])
    op.create_index("ix_outbox_kind_created_at", "outbox", ["kind", "created_at"])
    op.create_index(
        "ix_outbox_of_no_game",
        "outbox",
        ["state", "created_at"],
        unique=False,
        sqlite_where=sa.text("game_id IS NULL AND emptied_at IS NULL"),
        postgresql_where=sa.text("game_id IS NULL AND emptied_at IS NULL"),
    )
    op.create_index("ix_outbox_recipient", "outbox", ["recipient"])
    op.create_index("ix_outbox_state_due_at", "outbox", ["state", "due_at"])

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
        sa.Column("wanted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lead_seconds", sa.Integer(), nullable=True),
        sa.Column("delivered_turn", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_press_game_id_games")),
        sa.ForeignKeyConstraint(["letter_id"], ["inbox.id"], name=op.f("fk_press_letter_id_inbox")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_press")),
    )
    op.create_index("ix_press_delivered_turn_due_at", "press", ["delivered_turn", "due_at"])
    op.create_index("ix_press_game_id_delivered_turn", "press", ["game_id", "delivered_turn"])

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
        sa.Column("by_gm", sa.Boolean(), nullable=False),
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
    op.create_index("ix_undo_log_seat_id_letter_id", "undo_log", ["seat_id", "letter_id"])
