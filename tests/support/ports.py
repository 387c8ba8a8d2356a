"""Free ports for servers that the tests start as programs of their own."""

import itertools
import os
import random
import socket

_FIRST = 10_000
_EACH = 1_000
_WORKERS = 22
"""Ports 10,000 to 31,999: below those that Linux gives to connections and to port 0."""

_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _WORKERS
# Two runs at the same time begin at different places.
_turn = itertools.count(random.SystemRandom().randrange(_EACH))


def free_port() -> int:
    """Return a loopback port that is free and that nothing else of the tests takes.

    Each worker has a thousand ports of its own, so that no other test and no connection gets the
    port before the server that it is for.
    """
    for place in itertools.islice(_turn, _EACH):
        port = _FIRST + _worker * _EACH + place % _EACH
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError("all ports of this worker are taken")
