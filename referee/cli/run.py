"""``referee run``: the daemon, until it is stopped."""

import os
import sys

import click

from referee import instance_lock
from referee.app import build
from referee.cli.common import settings_of
from referee.clock import is_synchronised
from referee.daemon import Daemon, Service, logs
from referee.plugins.thorough import checked_rulesets
from referee.state_dir import make_state


@click.command("run")
@click.option(
    "--log",
    "level",
    type=click.Choice(["error", "info", "debug"]),
    default="info",
    show_default=True,
    help="How much is written to stderr; never an email, address, code or token.",
)
@click.pass_context
def command(ctx: click.Context, level: str) -> None:
    """Receive emails, resolve turns and send emails, until SIGTERM or Ctrl-C."""
    settings = settings_of(ctx)
    logs.begin(level)
    make_state(settings.state_dir)
    with instance_lock.running(settings):
        app = build(settings, checked_rulesets(), exactly=True)
        finished = Service(Daemon(app, is_synchronised=is_synchronised)).run()
        if not finished:
            # A hung thread would keep the program alive; its claims expire with their leases.
            sys.stderr.flush()
            os._exit(0)
        app.close()
