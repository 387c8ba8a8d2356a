"""Posting of call-outs over HTTPS, signed as Standard Webhooks 1 describe it.

The standard library does it: a call needs one connection to an address that was looked at before,
no redirect and none of the answer's body, which clients for browsing do not promise.
"""

import base64
import hashlib
import hmac
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from referee.domain.call_outs import in_format
from referee.domain.mail_transfer import Attempt, Delivery, OutgoingMail
from referee.errors import RefereeError

_FEWEST_OCTETS: Final = 24


class HookRefused(Exception):
    """A call-out that was not made or not taken, in words without the address of the hook."""


@dataclass(frozen=True, slots=True)
class HookTarget:
    """A hook's address and format; *address* is that of its server, if the operator names it.

    *url* and *secret* are read for each call, because they can change; "" is no secret.
    """

    name: str
    url: Callable[[], str]
    secret: Callable[[], str]
    format: str = "json"
    address: str = ""


class _Line(http.client.HTTPSConnection):
    """A connection to an address that was looked at; TLS checks the name of the server.

    It is cut after *seconds*, however slowly the other side talks.
    """

    def __init__(
        self, server: tuple[str, int], addresses: Sequence[str], tls: ssl.SSLContext, seconds: float
    ) -> None:
        super().__init__(*server, timeout=seconds, context=tls)
        self._addresses, self._tls = addresses, tls
        self._end = threading.Timer(seconds, self._cut)
        self.is_late = False

    def connect(self) -> None:
        """Connect to the first address that answers. Raises OSError."""
        for address in self._addresses:
            try:
                plain = socket.create_connection((address, self.port), self.timeout)
                break
            except OSError:
                if address == self._addresses[-1]:
                    raise
        self.sock = self._tls.wrap_socket(
            plain, server_hostname=self.host, do_handshake_on_connect=False
        )
        self._end.start()
        self.sock.do_handshake()

    def close(self) -> None:
        """Close the connection. Idempotent."""
        self._end.cancel()
        super().close()

    def _cut(self) -> None:
        self.is_late = True
        with suppress(OSError):
            # That of an SSLSocket would change what the other thread reads from.
            socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


@dataclass(frozen=True, slots=True)
class HookSender:
    """A transport of call-outs. No call takes much longer than *seconds*.

    If a call to a hook fails, the others to it are put off without trying, so that a hook that is
    down holds no other for long.
    """

    hooks: Mapping[str, HookTarget]
    clock: Callable[[], datetime]
    tls: ssl.SSLContext | None = None
    """By default that of the system, with its certificates."""
    seconds: float = 5.0
    """Less than a service has to finish its work when it stops."""

    def send(self, dispatches: Sequence[OutgoingMail]) -> Generator[Attempt]:
        """Try each call-out once, and yield one attempt for each, in order.

        REJECTED is a hook that the settings do not have; all other failures are DEFERRED.
        """
        down: dict[str, str] = {}
        for each in dispatches:
            hook = self.hooks.get(each.recipient)
            if hook is None:
                yield Attempt(each, Delivery.REJECTED, "the settings have no hook of this name")
                continue
            if hook.name not in down and (failure := self.trouble(hook, each)):
                down[hook.name] = failure
            reason = down.get(hook.name, "")
            yield Attempt(each, Delivery.DEFERRED if reason else Delivery.SENT, reason)

    def trouble(self, hook: HookTarget, call: OutgoingMail | None) -> str:
        """Post a call-out, or with None only connect; return what is wrong with the hook, or ""."""
        line = None
        try:
            place, key = urlsplit(hook.url()), secret_key(hook.secret())
            server = (place.hostname or "", place.port or 443)
            tls = self.tls or ssl.create_default_context()
            line = _Line(server, _addresses(hook, *server), tls, self.seconds)
            line.connect()
            if call is not None:
                self._post(line, place.path or "/", place.query, hook, call, key)
        except ssl.SSLCertVerificationError as error:
            return f"its certificate is not valid: {error.verify_message}"
        except (HookRefused, RefereeError) as error:
            return str(error)
        except (OSError, http.client.HTTPException, ValueError) as error:
            if isinstance(error, TimeoutError) or (line is not None and line.is_late):
                return "no answer in time"
            # Other words of an exception could have the address in them.
            return f"no connection: {getattr(error, 'strerror', None) or type(error).__name__}"
        finally:
            if line is not None:
                line.close()
        return ""

    def _post(
        self,
        line: _Line,
        path: str,
        query: str,
        hook: HookTarget,
        call: OutgoingMail,
        key: bytes,
    ) -> None:
        body, stamp = in_format(call.raw, hook.format), str(int(self.clock().timestamp()))
        head = {
            "Content-Type": "application/json",
            "User-Agent": "referee",
            "webhook-id": call.message_id,
            "webhook-timestamp": stamp,
        }
        if key:
            head["webhook-signature"] = signature(key, call.message_id, stamp, body)
        line.request("POST", f"{path}?{query}" if query else path, body, head)
        status = line.getresponse().status
        if not 200 <= status < 300:
            moved = ": redirects are not followed" if 300 <= status < 400 else ""
            raise HookRefused(f"HTTP {status}{moved}")


def signature(key: bytes, call_id: str, stamp: str, body: bytes) -> str:
    """Return the signature of a call-out; *stamp* is the time in seconds since 1970."""
    signed = b".".join((call_id.encode(), stamp.encode(), body))
    return f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"


def secret_key(secret: str) -> bytes:
    """Return the key of a secret, b"" for none. Raises HookRefused unless it is base64."""
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError as error:
        raise HookRefused("its secret is not base64") from error
    if secret and len(key) < _FEWEST_OCTETS:
        raise HookRefused(f"its secret is shorter than {_FEWEST_OCTETS} bytes")
    return key


def _addresses(hook: HookTarget, host: str, port: int) -> Sequence[str]:
    """Return the addresses of a server. Raises OSError, and HookRefused for one that is private.

    A private address is used only if the operator has written it, so that whoever answers for a
    name cannot turn our calls to a machine of ours.
    """
    if hook.address or _is_address(host):
        return (hook.address or host,)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = tuple(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not all(ipaddress.ip_address(each).is_global for each in addresses):
        raise HookRefused("the name of its server has a private address; set address to it")
    return addresses[:2]


def _is_address(host: str) -> bool:
    with suppress(ValueError):
        return bool(ipaddress.ip_address(host))
    return False
