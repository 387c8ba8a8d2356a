"""Alembic environment: migrations run on the store's connection, in its transaction."""

from alembic import context

from referee.store.database.migrating import all_tables, render_item

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=all_tables(),
    render_as_batch=True,
    render_item=render_item,
)
with context.begin_transaction():
    context.run_migrations()
