"""Alembic's environment: migrations run on the connection of the store, in its transaction."""

from alembic import context

from referee.store import (
    agenda,
    audit,
    ballots,
    deeds,
    letterbox,
    mailboxes,
    pulses,
    rations,
    rollcall,
    standins,
    takers,
)
from referee.store.base import Base
from referee.store.schema import render_item

TABLES = (
    agenda.Look,
    audit.AuditEntry,
    ballots.Vote,
    deeds.Deed,
    letterbox.AddressChange,
    mailboxes.MailboxCursor,
    mailboxes.MailboxHold,
    pulses.Pulse,
    rations.Answered,
    rollcall.Offer,
    standins.Observer,
    takers.Taker,
)
"""From modules that draw tables of their own."""

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    render_item=render_item,
)
with context.begin_transaction():
    context.run_migrations()
