"""``referee demo``: a game played by email in under a minute, with all mail kept."""

import socket
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from email import message_from_bytes
from email.policy import default
from functools import partial
from pathlib import Path
from typing import Final

import click

from referee.app import App, build
from referee.cli.terminal import printable_line, program
from referee.daemon import Daemon, Service, logs
from referee.plugins import installed_rulesets
from referee.rules.extras import extras_of
from referee.settings import Settings
from referee.settings.model import (
    AdjudicationSettings,
    MaildirSending,
    ReceiverSettings,
    SiteSettings,
)
from referee.testing.casts.cast import Cast
from referee.testing.casts.installed import cast_keys, cast_of
from referee.testing.correspondents import Received
from referee.testing.demonstration import GM, Demonstration, Exchange
from referee.testing.mailbox import Mailbox
from referee.testing.probe import running_in, tried_rulesets

_ADDRESS: Final = "games@referee.example"
_RULE: Final = "=" * 78
_PATIENCE_SECONDS: Final = 55.0
_FIRST, _LAST = 15, 5
"""How many emails are listed: the first and the last."""


@click.command("demo")
@click.argument("game", type=click.Choice(cast_keys()), default="starweb", metavar="[GAME]")
@click.pass_context
def command(ctx: click.Context, game: str) -> None:
    """Start a referee on this machine and watch a game being played by email.

    GAME is the key of its rules, starweb by default; robots play it. One player's email is shown
    with its answer and the next report, then the list of their emails. The exit status is 1 if the
    game was not finished, or if no complete exchange of emails was found.
    """
    logs.begin("error")
    if not watch(cast_of(game), Path(tempfile.mkdtemp(prefix="referee-demo-"))):
        ctx.exit(1)
    if extras_of(installed_rulesets()[game]).robot is not None:
        click.echo(f"\nTo play it on your own against robots: {program()} play {game}")
        if extras_of(installed_rulesets()[game]).tutorial:
            click.echo(f"To learn it in a few turns: {program()} play TUTORIAL {game}")


def watch(cast: Cast, folder: Path, patience_seconds: float = _PATIENCE_SECONDS) -> bool:
    """Show a game while it is played; return whether it was finished and could be shown.

    Its emails and its database stay in *folder*.
    """
    port = _free_port()
    settings = _settings(folder, port)
    click.echo(f"Robots play a game by email, with a referee on 127.0.0.1, port {port}.")
    lines = list[str]()
    probes = tried_rulesets()
    app = build(settings, probes)
    mailbox = Mailbox(app.store, app.site)
    demonstration = Demonstration(cast, mailbox, port, folder / "sent", lines.append)

    def faults() -> list[str]:
        return [fault for probe in probes.values() for fault in probe.faults]

    play = partial(demonstration.play, patience_seconds, lambda: bool(faults()))
    finished = _play(app, play)
    shown = demonstration.shown
    if shown is not None:
        _show(shown)
    _list(lines, Received(shown.orders).headers["From"] if shown is not None else "")
    click.echo(f"\nAll sent emails: {folder / 'sent' / 'new'}")
    click.echo(f"All received emails, and the games: {settings.state_dir / 'referee.db'}")
    if not finished:
        _explain([*faults(), *filter(None, [printable_line(demonstration.refusal)])])
    return finished and shown is not None


def _list(lines: Sequence[str], address: str) -> None:
    """Print the first and last lines about the emails of *address*, or of everybody without it."""
    own = [line for line in lines if line.startswith(address)]
    listed = own if len(own) <= _FIRST + _LAST else [*own[:_FIRST], "...", *own[-_LAST:]]
    whose = f"{len(own)} of {address}" if address else "all"
    click.echo(f"\n{_RULE}\n{len(lines)} EMAILS, {whose}\n{_RULE}")
    click.echo("\n".join(listed))


def _explain(faults: Sequence[str]) -> None:
    """Print why the game was not finished."""
    if faults:
        click.echo("The game was stopped, because its ruleset or cast failed:", err=True)
    else:
        click.echo("The game was not finished in time.", err=True)
    for fault in faults:
        click.echo(f"  {fault}", err=True)
    for key, rules in installed_rulesets().items():
        for place in running_in(rules):
            click.echo(f"The ruleset {key} has not returned: {place}", err=True)


def _play(app: App, play: Callable[[], bool]) -> bool:
    """Run a referee while a game is played, and return whether it was finished."""
    service = Service(Daemon(app))
    service.start()
    with ThreadPoolExecutor(1) as pool:
        played = pool.submit(play)
        while not played.done():
            service.attend()
    service.stop()
    app.close()
    return played.result()


def _settings(folder: Path, port: int) -> Settings:
    return Settings(
        state_dir=folder / "state",
        site=SiteSettings(address=_ADDRESS, operator="operator@example.org", creators=(GM,)),
        receiver=ReceiverSettings(port=port),
        # In this process, a function that does not return can be found.
        adjudication=AdjudicationSettings(workers=0),
        sending=MaildirSending(kind="maildir", path=folder / "sent"),
    )


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _show(shown: Exchange) -> None:
    titles = ("A PLAYER WRITES", "THE REFEREE ACKNOWLEDGES", "THE NEXT REPORT")
    letters = (shown.orders, shown.acknowledgement, shown.report)
    for title, raw in zip(titles, letters, strict=True):
        click.echo(f"\n{_RULE}\n{title}\n{_RULE}")
        message = message_from_bytes(raw, policy=default)
        for name in ("From", "To", "Subject"):
            click.echo(f"{name}: {message[name]}")
        click.echo()
        text = message.get_body(("plain",))
        click.echo(text.get_content().rstrip() if text is not None else "")
