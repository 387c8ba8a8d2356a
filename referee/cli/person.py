"""``referee person``: what is stored about a person, shown, deleted or moved by the operator."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from referee.app import build_site
from referee.cli.common import open_database, settings_of
from referee.cli.help_format import HelpGroup
from referee.clock import now
from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import post
from referee.desk.players.address_changes import ask_for_operator, possible_address
from referee.desk.players.privacy import as_json, shown
from referee.desk.seats import forgetting
from referee.errors import Finding, NotFound, RefereeError
from referee.rules.ruleset import UserError
from referee.store import Session
from referee.store.models import Person
from referee.store.privacy import erasure
from referee.store.privacy.disclosure import disclose
from referee.store.privacy.subject import Subject, subject_at


@click.group("person", cls=HelpGroup)
def command() -> None:
    """Show or delete what is stored about the owner of an address, or move it to another one."""


@command.command("show")
@click.argument("address")
@click.pass_context
def show(ctx: click.Context, address: str) -> None:
    """Write all that is stored about ADDRESS, and about its owner, to stdout as JSON.

    It includes the emails of somebody who has only written to the referee.
    """
    with open_database(settings_of(ctx)) as store, store.read() as session:
        found = disclose(session, subject_at(session, address))
        if not found:
            raise _unknown(address)
        click.echo(as_json(shown(found)))


@command.command("forget")
@click.argument("address")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@click.pass_context
def forget(ctx: click.Context, address: str, *, yes: bool) -> None:
    """Delete all that is stored about ADDRESS, and about its owner.

    Their seats become vacant, as by RESIGN, and their last email says what was deleted. The
    referee can keep running.
    """
    settings = settings_of(ctx)
    with open_database(settings) as store:
        site = build_site(settings, store)
        with store.read() as session:
            subject = subject_at(session, address)
            if not disclose(session, subject, 0):
                raise _unknown(address)
            _check(forgetting.obstacle(session, subject.person) if subject.person else "", address)
            for line in forgetting.consequences(session, subject.person) if subject.person else ():
                click.echo(line)
        if not yes:
            click.confirm(f"Delete everything about {address}?", abort=True)
        with store.write() as session:
            _forget(Desk(session, site, now()), subject_at(session, address), address)
    click.echo(f"Everything about {address} was deleted. Older backups still have it.")


@command.command("move")
@click.argument("address")
@click.argument("new_address")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@click.pass_context
def move(ctx: click.Context, address: str, new_address: str, *, yes: bool) -> None:
    """Ask NEW_ADDRESS to confirm that it takes the place of ADDRESS, for the same person.

    For somebody who can no longer read or write at ADDRESS, such as the only GM of a game. Make
    sure that both addresses are theirs. The referee can keep running.
    """
    settings = settings_of(ctx)
    with open_database(settings) as store, _movable(address):
        site = build_site(settings, store)
        with store.read() as session:
            person = _person(session, address)
            new_address = possible_address(Desk(session, site, now()), person, new_address)
            click.echo(f"{new_address} gets all that account #{person.account} has, in all games.")
        if not yes:
            click.confirm(f"Ask {new_address} to confirm?", abort=True)
        with store.write() as session:
            desk = Desk(session, site, now())
            change = ask_for_operator(desk, _person(session, address), new_address)
            until = f"{change.expires_at:%Y-%m-%d %H:%M} UTC"
    click.echo(f"{new_address} is asked. Nothing changes before it replies CONFIRM, by {until}.")


@contextmanager
def _movable(address: str) -> Iterator[None]:
    """Raise RefereeError with the sentence of a UserError."""
    try:
        yield
    except UserError as mistake:
        finding = Finding(f"person {address}: cannot be moved", str(mistake))
        raise RefereeError(finding) from None


def _person(session: Session, address: str) -> Person:
    """Return the person of an address. Raises NotFound if there is none."""
    person = subject_at(session, address).person
    if person is None:
        raise _unknown(address)
    return person


def _forget(desk: Desk, subject: Subject, address: str) -> None:
    if subject.person is None:
        erasure.erase(desk.session, subject, desk.now, "")
        return
    _check(forgetting.obstacle(desk.session, subject.person), address)
    post(desk, *forgetting.forget(desk, subject.person))


def _check(why: str, address: str) -> None:
    """Raise RefereeError if there is a reason why the person cannot be forgotten now."""
    if why:
        what = f"person {address}: cannot be forgotten yet"
        raise RefereeError(Finding(what, f"ask them to do this: {why}"))


def _unknown(address: str) -> NotFound:
    what = f"person {address}: nothing is stored about this address"
    return NotFound(Finding(what, "check its spelling; `referee mail list` shows the emails"))
