"""Alembic environment: migrations run on the store's connection, in its transaction."""

from alembic import context

from referee.store.database.base import Base
from referee.store.database.migrating import render_item
from referee.store.games import agenda, audit, postponements, undo_log, votes
from referee.store.mail import bookings, call_outs, heartbeats, intake_leases, mailboxes
from referee.store.people import address_changes, observers, offers

TABLES = (
    agenda.AgendaEntry,
    audit.AuditEntry,
    votes.Vote,
    postponements.Postponement,
    undo_log.UndoEntry,
    address_changes.AddressChange,
    mailboxes.MailboxCursor,
    mailboxes.MailboxLease,
    heartbeats.Heartbeat,
    bookings.Booking,
    call_outs.CallOutRow,
    offers.Offer,
    observers.Observer,
    intake_leases.IntakeLease,
)
"""The tables outside of ``referee.store.models``."""

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    render_item=render_item,
)
with context.begin_transaction():
    context.run_migrations()
