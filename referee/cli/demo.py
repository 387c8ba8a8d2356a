"""``referee demo``: a game played by mail in under a minute, with everything kept to look at."""

import socket
import tempfile
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Final

import click

from referee.app import build
from referee.daemon import Daemon, Service, logs
from referee.settings import Settings
from referee.settings.model import HouseSettings, MaildirSending, ReceiverSettings
from referee.testing.demonstration import GM, Demonstration, Exchange

_ADDRESS: Final = "games@referee.example"
_RULE: Final = "=" * 78


@click.command("demo")
def command() -> None:
    """Start a referee on this machine and watch a game of StarWeb being played by mail.

    Six robots play, one of each character. The exit status is 1 when the game was not finished, or
    no exchange of letters was whole.
    """
    folder = Path(tempfile.mkdtemp(prefix="referee-demo-"))
    settings = _settings(folder, _free_port())
    logs.begin("error")
    app = build(settings)
    service = Service(Daemon(app))
    service.start()
    assert settings.receiver is not None
    assert settings.receiver.port is not None
    click.echo(f"A referee listens on 127.0.0.1, port {settings.receiver.port}, for {_ADDRESS}.\n")
    demonstration = Demonstration(settings.receiver.port, folder / "sent", _ADDRESS, click.echo)
    finished = demonstration.play()
    service.stop()
    app.close()
    shown = demonstration.shown
    if shown is not None:
        _show(shown)
    click.echo(f"\n{_RULE}\nAll letters that were sent:  {folder / 'sent' / 'new'}")
    click.echo(f"All letters that came in, and the games:  {settings.state_dir / 'referee.db'}")
    if not finished or shown is None:
        click.echo("The game was not finished in time.", err=True)
        raise SystemExit(1)


def _settings(folder: Path, port: int) -> Settings:
    return Settings(
        state_dir=folder / "state",
        house=HouseSettings(address=_ADDRESS, operator="operator@example.org", creators=(GM,)),
        receiver=ReceiverSettings(port=port),
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
        click.echo(message.get_content().rstrip())
