"""Alembic's environment: migrations run on the connection of the store, in its transaction."""

from alembic import context

from referee.store.rollcall import Offer
from referee.store.schema import render_item

context.configure(
    connection=context.config.attributes["connection"],
    # The module that draws the last tables knows them all.
    target_metadata=Offer.metadata,
    render_as_batch=True,
    render_item=render_item,
)
with context.begin_transaction():
    context.run_migrations()
