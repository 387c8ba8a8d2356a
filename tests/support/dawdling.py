"""``python -m tests.support.dawdling SETTINGS FILE``: stores no letter while FILE exists.

The letter has arrived by then, as its arrival time shows. Other daemons do not wait long for such a
referee without a heartbeat.
"""

import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from referee import app
from referee.daemon import Daemon, Service, logs
from referee.desk.reception import intake
from referee.domain.mail_transfer import IncomingMail
from referee.settings import load


def dawdling(build_accept: Callable[..., app.Accept], hold: Path) -> Callable[..., app.Accept]:
    """Return a factory of accept functions that wait while the file exists."""

    def build(*given: Any) -> app.Accept:
        accept = build_accept(*given)

        def kept(arrival: IncomingMail) -> int:
            hold.with_name(f"{hold.name}.reached").touch()
            while hold.exists():
                time.sleep(0.05)
            return accept(arrival)

        return kept

    return build


if __name__ == "__main__":
    settings, hold = map(Path, sys.argv[1:])
    logs.begin()
    vars(intake)["LEASE"] = timedelta(seconds=3)
    vars(app)["build_accept"] = dawdling(app.build_accept, hold)
    Service(Daemon(app.build(load(settings)))).run()
