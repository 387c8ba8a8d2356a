"""The daemon: one loop that takes in, reads, adjudicates what is due, reminds, and sends."""

from referee.daemon.loop import Daemon
from referee.daemon.service import Service

__all__ = ["Daemon", "Service"]
