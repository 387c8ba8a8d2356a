"""The Received field of a mail server that hands us its emails: who handed them to it."""

import re
from collections.abc import Collection
from typing import Final

from referee.domain.networks import public_network
from referee.letters.incoming.authentication import bare
from referee.letters.incoming.decode import whole
from referee.letters.incoming.letter import every

_LONGEST: Final = 2_000
_SERVER: Final = re.compile(
    r"\s*from\s+\S+\s+by\s+([^\s;]{1,255})\s+with\s+(\w{1,20})\b", re.IGNORECASE
)
"""Its server and protocol, without comments."""
_CLIENT: Final = re.compile(
    r"\s*from\s+\S+\s+\((?:(\S{1,255})\s+)?\[(?:IPv6:)?([0-9a-f.:]{2,45})\]", re.IGNORECASE
)
"""The name of the client by the name servers, and its address; the name before it is its own."""


def network_seen(raw: bytes, servers: Collection[str]) -> str | None:
    """Return the public network that handed a letter to one of our *servers*, "" if none did.

    Only the topmost Received counts, below those of a delivery by LMTP: a server that hands a
    letter over may add one. None if no server of ours wrote it, as anybody can write the others.
    Without *servers*, the topmost is taken for ours.
    """
    fields, _ = whole(raw)
    for value in every(fields, "received"):
        found = _SERVER.match(bare(value[:_LONGEST]))
        if found is None or (servers and found[1].lower() not in servers):
            return None
        if found[2].upper() != "LMTP":
            client = _CLIENT.match(value)
            if client is None or (client[1] or "").lower() in servers:
                return ""
            return public_network(client[2])
    return None
