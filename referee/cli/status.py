"""``referee status``: games, deadlines and queues at a glance."""

from collections.abc import Mapping
from typing import Final

import click

from referee import instance_lock
from referee.cli.common import games_listed, moment, open_database, settings_of, shown_turn, table
from referee.clock import now
from referee.domain.shares import Size
from referee.opening import sizes_of
from referee.state_dir import database_file
from referee.store import Session
from referee.store.games import games
from referee.store.mail import circuit_breaker, heartbeats, inbox, levels, outbox
from referee.store.models import Game

_HALF: Final = 0.5


@click.command("status")
@click.option("--all", "everything", is_flag=True, help="Also show games that have ended.")
@click.pass_context
def command(ctx: click.Context, *, everything: bool) -> None:
    """Show games, deadlines and queues."""
    settings = settings_of(ctx)
    with open_database(settings) as store, store.read() as session:
        _show_games(session, everything=everything)
        _show_queues(session)
        _show_spent(session, sizes_of(settings))
    if not instance_lock.is_held(settings):
        where = " on this machine" if database_file(settings) is None else ""
        click.echo(f"No referee is running{where}.")


def _show_games(session: Session, *, everything: bool) -> None:
    columns = ("game", "ruleset", "status", "turn", "players", "sheets", "deadline")
    if found := games_listed(session, everything=everything):
        table(columns, [_row(session, game) for game in found])
    for game in found:
        if game.stalls:
            again = moment(game.stalled_until)
            failed = f"Turn {game.turn} of {game.name} could not be resolved"
            failed = failed if game.turn else f"{game.name} could not be started"
            click.echo(f"{failed}; next try: {again}")


def _row(session: Session, game: Game) -> tuple[object, ...]:
    held = [seat for seat in game.seats if seat.person_id is not None]
    filed = [seat for seat in held if games.sheet_of(session, seat, game.turn) is not None]
    return (
        game.name,
        game.ruleset,
        game.status.value,
        shown_turn(game),
        f"{len(held)} of {game.places}",
        f"{len(filed)} of {len(held)}" if game.turn else "-",
        moment(game.deadline_at),
    )


def _show_queues(session: Session) -> None:
    came = {state.value: number for state, number in inbox.counts(session).items()}
    went = {state.value: number for state, number in outbox.counts(session).items()}
    click.echo()
    click.echo("Emails in:    " + ", ".join(f"{n} {state}" for state, n in came.items()))
    click.echo("Emails out:   " + ", ".join(f"{n} {state}" for state, n in went.items()))
    for lane, since in inbox.oldest_waiting(session).items():
        click.echo(f"Unread since: {moment(since)}, from {lane.senders}")
    for pulse in heartbeats.among(session, [heartbeats.DAEMON]):
        click.echo(f"Last active:  {moment(pulse.beat_at)}")
    click.echo(f"Next to send: {moment(outbox.next_due(session))}")
    if (until := circuit_breaker.holds_until(session, now())) is not None:
        click.echo(f"Sending has stopped until {moment(until)}, or until `referee mail resume`.")


def _show_spent(session: Session, sizes: Mapping[Size, int]) -> None:
    """Show the shares of which half is used, the fullest first."""
    found = [level for level in levels.levels(session, sizes, now()) if level.ratio >= _HALF]
    for level in sorted(found, key=lambda level: -level.ratio):
        whose = levels.owner_of(session, level.share.key, level.whose)
        click.echo(f"Spent:        {level.share.thing.value}: {level.figures}, by {whose}")
