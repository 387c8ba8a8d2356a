"""A Dovecot for the tests: IMAP and LMTP on free ports, mail in a temporary folder."""

import base64
import hashlib
import hmac
import json
import os
import re
import shutil
import signal
import smtplib
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from imapclient import IMAPClient

from tests.live.servers import absent, listens, output, program, until
from tests.support.ports import free_port

PASSWORD = "secret"
"""The password of all users."""
_CERTIFICATE = Path(__file__).parents[1] / "mail" / "localhost.pem"
_TOKEN_KEY = b"the key that signs access tokens"


class Dovecot:
    """A running server for any mailbox: a letter to ``name@anywhere`` creates it.

    A login is the name and ``PASSWORD``, or XOAUTH2 with a ``token``. IMAP with and without
    STARTTLS is on ``imap_port``, with TLS on ``imaps_port``, for a certificate of localhost. Other
    servers check logins on ``sasl_port``.
    """

    def __init__(self, binary: Path, folder: Path) -> None:
        self.imap_port = free_port()
        self.imaps_port = free_port()
        self.lmtp_port = free_port()
        self.sasl_port = free_port()
        # Dovecot's master drops root's privileges in ways that need a full installation.
        self._user = "nobody" if os.geteuid() == 0 else output("id", "-un").strip()
        self._group = output("id", "-gn", self._user).strip()
        self._binary = binary
        self._folder = folder
        self._running: subprocess.Popen[bytes] | None = None

    def start(self, capability: str = "", more: str = "") -> None:
        """Start the server; *capability* replaces the capabilities that it reports.

        *more* is added to its configuration.
        """
        conf = self._folder / "dovecot.conf"
        conf.write_text(self._configuration(capability) + more)
        conf.chmod(0o644)
        self._write_token_key()
        self._running = subprocess.Popen(
            [str(self._binary), "-F", "-c", str(conf)],
            cwd="/",
            stdin=subprocess.DEVNULL,
            user=self._user if os.geteuid() == 0 else None,
            group=self._group if os.geteuid() == 0 else None,
            extra_groups=[] if os.geteuid() == 0 else None,
            start_new_session=True,
        )
        until("Dovecot is there", lambda: listens(self.imap_port) and listens(self.lmtp_port))

    def stop(self) -> None:
        """Stop the server with all connections; its mail stays for the next start."""
        if self._running is None:
            return
        os.killpg(self._running.pid, signal.SIGTERM)
        # Clients have got the goodbye by then; Dovecot itself would wait for seconds.
        with suppress(subprocess.TimeoutExpired):
            self._running.wait(0.3)
        self.kill()

    def kill(self) -> None:
        """Kill the server and all its processes, like a power failure."""
        if self._running is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self._running.pid, signal.SIGKILL)
        self._running.wait(10)
        self._running = None
        until("Dovecot is gone", lambda: not listens(self.imap_port))

    def restart(self, capability: str = "", more: str = "") -> None:
        """Stop and start on the same ports, like an upgrade."""
        self.stop()
        self.start(capability, more)

    def token(self, user: str = "referee", seconds: float = 60.0) -> str:
        """Return an access token (a JWT) of a user, valid for *seconds*."""
        claims = {"sub": user, "email": user, "exp": int(time.time() + seconds)}
        parts = [{"typ": "JWT", "alg": "HS256"}, claims]
        signed = ".".join(_base64(json.dumps(part).encode()) for part in parts)
        return f"{signed}.{_base64(hmac.digest(_TOKEN_KEY, signed.encode(), hashlib.sha256))}"

    def deliver(self, raw: bytes, to: str = "referee@example.org") -> None:
        """Put a letter into the inbox of *to*, like a mail server by LMTP."""
        with smtplib.LMTP("127.0.0.1", self.lmtp_port) as client:
            client.sendmail("sender@example.org", [to], raw)

    def fill(self, letters: Sequence[bytes], user: str = "referee") -> None:
        """Put many letters into a user's inbox at once, like another mail program."""
        mailbox = self._folder / "mail" / user
        folders = [mailbox / name for name in ("tmp", "new", "cur")]
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
        files = [folders[1] / f"1600000000.{n:06}.test" for n, _ in enumerate(letters)]
        for file, raw in zip(files, letters, strict=True):
            file.write_bytes(raw)
        if os.geteuid() == 0:
            for path in (mailbox.parent, mailbox, *folders, *files):
                shutil.chown(path, self._user, self._group)

    @contextmanager
    def client(self, user: str = "referee") -> Iterator[IMAPClient]:
        """Yield a logged-in mail program, as a person with webmail uses."""
        with IMAPClient("127.0.0.1", self.imap_port, ssl=False, timeout=10) as client:
            client.login(user, PASSWORD)
            yield client

    def letters(self, user: str = "referee", folder: str = "INBOX") -> list[bytes]:
        """Return all letters in a folder, oldest first; none if there is no such folder."""
        with self.client(user) as client:
            if not client.folder_exists(folder):
                return []
            client.select_folder(folder, readonly=True)
            uids = client.search("ALL")
            answers = client.fetch(uids, ["BODY.PEEK[]"]) if uids else {}
            return [answers[uid][b"BODY[]"] for uid in sorted(answers)]

    def change_uidvalidity(self, user: str = "referee") -> None:
        """Renumber all letters of a user's inbox, as after a restore or move."""
        self.stop()
        # Dovecot uses the current second for the new number, which must differ from the old one.
        mailbox = self._folder / "mail" / user
        old = re.match(r"3 V(\d+) ", (mailbox / "dovecot-uidlist").read_text())
        assert old is not None, "the mailbox has no UIDVALIDITY yet"
        until("another second begins", lambda: time.time() > int(old[1]) + 1)
        for name in ("dovecot-uidlist", "dovecot-uidvalidity*", "dovecot.index*"):
            for file in mailbox.glob(name):
                file.unlink()
        self.start()

    def _write_token_key(self) -> None:
        key = self._folder / "keys" / "default" / "HS256" / "default"
        key.parent.mkdir(parents=True, exist_ok=True)
        key.write_text(base64.b64encode(_TOKEN_KEY).decode())
        (self._folder / "oauth2.conf").write_text(
            "introspection_mode = local\n"
            f"local_validation_key_dict = fs:posix:prefix={self._folder}/keys/\n"
        )

    def _configuration(self, capability: str) -> str:
        return _CONFIGURATION.format(
            folder=self._folder,
            user=self._user,
            group=self._group,
            imap=self.imap_port,
            imaps=self.imaps_port,
            lmtp=self.lmtp_port,
            sasl=self.sasl_port,
            password=PASSWORD,
            certificate=self._folder / "localhost.pem",
            capability=f"imap_capability = {capability}" if capability else "",
        )


def _base64(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).decode().rstrip("=")


@contextmanager
def running() -> Iterator[Dovecot]:
    """Yield a server until the end; skip, or fail if required, if it is not installed."""
    binary = program("dovecot", "Dovecot", "dovecot-imapd dovecot-lmtpd")
    program("lmtp", "Dovecot's LMTP server", "dovecot-imapd dovecot-lmtpd")
    version = output(binary, "--version").split()[0]
    if not version.startswith("2.3."):
        absent(f"these tests configure Dovecot 2.3, this is {version}")
    folder = Path(tempfile.mkdtemp(prefix="referee-dovecot-"))
    server = Dovecot(binary, folder)
    try:
        shutil.copy(_CERTIFICATE, folder)
        if os.geteuid() == 0:
            shutil.chown(folder, "nobody")
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)


# auth_username_format removes the domain, so that LMTP and LOGIN use the same mailbox.
_CONFIGURATION = """
protocols = imap lmtp
listen = 127.0.0.1
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/dovecot.log
ssl = yes
ssl_cert = <{certificate}
ssl_key = <{certificate}
disable_plaintext_auth = no
auth_username_format = %Ln
auth_failure_delay = 0
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
default_vsz_limit = 0
mail_location = maildir:{folder}/mail/%u
mail_fsync = never
lmtp_hdr_delivery_address = final
recipient_delimiter = +
{capability}
auth_mechanisms = plain login xoauth2
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {folder}/oauth2.conf
}}
passdb {{
  driver = static
  mechanisms = plain login
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/mail/%u allow_all_users=yes
}}
first_valid_uid = 1
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service auth {{
  inet_listener sasl {{
    port = {sasl}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service imap {{
  process_limit = 64
}}
mail_max_userip_connections = 100
namespace inbox {{
  inbox = yes
  separator = /
}}
"""
