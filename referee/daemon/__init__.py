"""The daemon: one loop that takes in, reads, adjudicates what is due, reminds, and sends."""

from referee.daemon.service import Service
from referee.daemon.steps import Daemon

__all__ = ["Daemon", "Service"]
