"""The daemon: one loop that receives and reads letters, adjudicates turns, and sends."""

from referee.daemon.loop import Daemon
from referee.daemon.service import Service

__all__ = ["Daemon", "Service"]
