"""``python -m tests.support.unlocked SETTINGS``: a referee without the instance lock."""

import sys
from pathlib import Path

from referee.app import build
from referee.daemon import Daemon, Service, logs
from referee.settings import load

if __name__ == "__main__":
    logs.begin("info")
    Service(Daemon(build(load(Path(sys.argv[1]))))).run()
