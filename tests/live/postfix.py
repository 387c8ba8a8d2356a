"""A Postfix for the tests: a free port, and a temporary configuration and queue."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.live.servers import absent, listens, output, program, until
from tests.support.ports import free_port

_CERTIFICATE = Path(__file__).parents[1] / "mail" / "localhost.pem"


class Postfix:
    """A running mail server that accepts letters from this machine on ``port`` and relays them.

    Its configuration is in ``etc``. ``submission_port`` is for a service that is ``added``.
    """

    def __init__(self, binary: Path, folder: Path) -> None:
        self.port = free_port()
        self.submission_port = free_port()
        self.etc = folder / "etc"
        self._binary = binary
        self._folder = folder
        self._routes: dict[str, str] = {}

    def start(self) -> None:
        """Start the server and wait until it accepts letters."""
        self._configure()
        self._command("start")
        until("Postfix is there", lambda: listens(self.port))

    def stop(self) -> None:
        """Stop the server; its queue stays for the next start."""
        if (self._folder / "queue" / "pid" / "master.pid").exists():
            self._command("stop")

    def route(self, domain: str, port: int, protocol: str = "smtp") -> None:
        """Relay letters for a domain (``*``: any other) to a local port, by smtp or lmtp."""
        host = "[127.0.0.1]" if protocol == "smtp" else "inet:127.0.0.1"
        self.route_to(domain, f"{protocol}:{host}:{port}")

    def route_to(self, domain: str, transport: str) -> None:
        """Relay letters for a domain through a transport in Postfix's notation."""
        self._routes[domain] = transport
        self._write_routes()
        self._reload()

    def add(self, main: str = "", services: str = "") -> None:
        """Add to ``main.cf``, replacing the same settings, and to ``master.cf``."""
        settings = (self.etc / "main.cf").read_text()
        for name in re.findall(r"^(\w+) *=", main, re.MULTILINE):
            # Each program of Postfix warns about duplicate settings. The log writer warns, too, and
            # then waits forever when it is busy.
            settings = re.sub(rf"(?m)^{name} *=.*\n(?:[ \t]+.*\n)*", "", settings)
        (self.etc / "main.cf").write_text(settings + main)
        with (self.etc / "master.cf").open("a") as file:
            file.write(services)
        self._reload()

    def map(self, name: str, lines: str) -> None:
        """Write a lookup table into ``etc`` and compile it, like ``postmap``."""
        (self.etc / name).write_text(lines)
        output(self._binary.parent / "postmap", "-c", self.etc, f"hash:{self.etc / name}")

    def flush(self) -> None:
        """Retry everything in the queue at once."""
        self._command("flush")

    def queue(self) -> str:
        """Return the queue, as printed by postqueue; empty if nothing waits."""
        postqueue = self._binary.parent / "postqueue"
        listing = output(postqueue, "-c", self.etc, "-p")
        return "" if "is empty" in listing else listing

    def queue_for(self, user: str) -> subprocess.CompletedProcess[str]:
        """Ask for the queue as another user, whom postqueue's own group lets ask at all."""
        program = (str(self._binary.parent / "postqueue"), "-c", str(self.etc), "-p")
        # With that group as the user's own, too, postqueue reads a configuration that is not the
        # system's.
        identity = ("setpriv", f"--reuid={user}", "--regid=postdrop", "--clear-groups")
        return subprocess.run(
            (*identity, *program), capture_output=True, text=True, timeout=60, check=False
        )

    def log(self) -> str:
        """Return the log of the server."""
        log = self._folder / "log"
        return log.read_text(errors="replace") if log.exists() else ""

    def _command(self, word: str) -> None:
        try:
            output(self._binary, "-c", self.etc, word)
        except AssertionError as error:
            # Postfix gives its reasons only in its log.
            raise AssertionError(f"{error}\n{self.log()}") from error

    def _reload(self) -> None:
        self._command("reload")
        until("Postfix is there again", lambda: listens(self.port))

    def _configure(self) -> None:
        for folder in (self.etc, self._folder / "queue", self._folder / "state"):
            folder.mkdir(exist_ok=True)
        shutil.chown(self._folder / "state", "postfix")
        daemons = output(self._binary.parent / "postconf", "-d", "-h", "daemon_directory").strip()
        main = _MAIN.format(folder=self._folder, commands=self._binary.parent, daemons=daemons)
        shutil.copy(_CERTIFICATE, self._folder)
        (self.etc / "main.cf").write_text(main)
        (self.etc / "master.cf").write_text(_MASTER.format(port=self.port))
        self._write_routes()

    def _write_routes(self) -> None:
        lines = "".join(f"{domain} {route}\n" for domain, route in self._routes.items())
        (self.etc / "transport").write_text(lines)


@contextmanager
def running() -> Iterator[Postfix]:
    """Yield a server until the end; skip, or fail if required, if it is not installed."""
    binary = program("postfix", "Postfix", "postfix")
    if os.geteuid() != 0:
        absent("Postfix can only be started by root")
    folder = Path(tempfile.mkdtemp(prefix="referee-postfix-"))
    folder.chmod(0o755)
    server = Postfix(binary, folder)
    try:
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


_MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/state
command_directory = {commands}
daemon_directory = {daemons}
mail_owner = postfix
setgid_group = postdrop
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
inet_interfaces = loopback-only
inet_protocols = ipv4
myhostname = postfix.example
mydestination =
local_transport = error:no local mailboxes here
alias_maps =
alias_database =
local_recipient_maps =
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
transport_maps = texthash:{folder}/etc/transport
default_transport = error:no route for this domain
smtp_dns_support_level = disabled
disable_dns_lookups = yes
smtp_host_lookup = native
lmtp_host_lookup = native
smtputf8_enable = yes
smtpd_tls_cert_file = {folder}/localhost.pem
smtpd_tls_key_file = {folder}/localhost.pem
minimal_backoff_time = 2s
maximal_backoff_time = 5s
queue_run_delay = 2s
lmtp_destination_recipient_limit = 1
"""

# A logger that ends after a hundred lines is started again by the master, which waits by then for
# somebody to read its own lines: on a busy machine Postfix stopped for good.
_MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
pickup    unix  n  -  n  60  1  pickup
cleanup   unix  n  -  n  -   0  cleanup
qmgr      unix  n  -  n  300 1  qmgr
rewrite   unix  -  -  n  -   -  trivial-rewrite
bounce    unix  -  -  n  -   0  bounce
defer     unix  -  -  n  -   0  bounce
trace     unix  -  -  n  -   0  bounce
verify    unix  -  -  n  -   1  verify
flush     unix  n  -  n  1000? 0 flush
proxymap  unix  -  -  n  -   -  proxymap
smtp      unix  -  -  n  -   -  smtp
relay     unix  -  -  n  -   -  smtp
showq     unix  n  -  n  -   -  showq
error     unix  -  -  n  -   -  error
retry     unix  -  -  n  -   -  error
discard   unix  -  -  n  -   -  discard
local     unix  -  n  n  -   -  local
lmtp      unix  -  -  n  -   -  lmtp
anvil     unix  -  -  n  -   1  anvil
scache    unix  -  -  n  -   1  scache
tlsmgr    unix  -  -  n  1000? 1 tlsmgr
postlog   unix-dgram n - n - 1 postlogd -o max_use=1000000 -o max_idle=1d
"""
