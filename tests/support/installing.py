"""``python -m tests.support.installing FOLDER``: runs deploy/install.md in a fresh Debian.

FOLDER becomes the root of a Debian 12, made by debootstrap. The program is installed in it; then
systemd is booted there, with its own network for all mail, for the rest of the page and for the
checks of the unit. If everything succeeds, FOLDER is removed.

Needs root, the network, debootstrap, systemd-nspawn (Debian: systemd-container) and five minutes.
"""

import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).parents[2]
PAGE: Final = CHECKOUT / "deploy" / "install.md"
# From here on nothing is downloaded, and mail is sent.
_ALONE: Final = "## The mail server"
_DEBIAN: Final = "http://deb.debian.org/debian"
_SKIPPED: Final = shutil.ignore_patterns(".venv", ".git", ".*_cache", "__pycache__")
_PRELUDE: Final = """
set -euo pipefail
export HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/bin:$PATH
unset TMPDIR
cd /usr/local/src/referee
"""
_AFTERWARDS: Final = "/opt/referee/bin/python -B -W ignore tests/support/booted.py"
_PATIENCE_SECONDS: Final = 900.0
# Runs the commands once systemd is up, and shuts the machine down with their exit status.
_UNIT: Final = """
[Unit]
After=postfix.service
[Service]
Type=exec
ExecStart=/bin/bash -x /install.sh
StandardOutput=append:/install.log
StandardError=append:/install.log
ExecStopPost=/bin/systemctl --no-block exit $EXIT_STATUS
[Install]
WantedBy=multi-user.target
"""


def blocks(text: str) -> list[str]:
    """Return the commands of a page that are marked as such, block by block."""
    return re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)


def install(root: Path) -> int:
    """Run the page in *root*, and return the exit status."""
    if root.exists():
        sys.exit(f"{root} is there already; the Debian must be a fresh one")
    if missing := [each for each in ("debootstrap", "systemd-nspawn") if not shutil.which(each)]:
        sys.exit(f"not installed: {', '.join(missing)}")
    # The packages that Debian's installer also adds.
    packages = "--include=systemd,dbus,ca-certificates"
    _run("debootstrap", "--variant=minbase", packages, "bookworm", str(root), _DEBIAN)
    sources = root / "usr/local/src/referee"
    shutil.copytree(CHECKOUT, sources, ignore=_SKIPPED)
    for name in ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt"):
        shutil.copyfile(f"/{name}", root / name)
    # Written like this by Debian's installer.
    (root / "etc/hosts").write_text(f"127.0.0.1 localhost {socket.gethostname()}\n")
    before, after = map(blocks, PAGE.read_text(encoding="utf-8").split(_ALONE))
    names = before[:1]
    return _in_chroot(root, before) or _booted(root, [*names, *after, _AFTERWARDS])


def _in_chroot(root: Path, commands: list[str]) -> int:
    """Run commands that need the network but no systemd, and return the exit status."""
    # The page reloads systemd's users and folders with their own programs, which work here, too.
    _write_script(root, commands)
    mount = f"mount -t proc proc {root}/proc && exec chroot {root} bash -x /install.sh"
    unshare = ("unshare", "--mount", "--pid", "--fork", "--kill-child")
    return subprocess.run([*unshare, "bash", "-c", mount], check=False).returncode


def _booted(root: Path, commands: list[str]) -> int:
    """Run commands in the booted Debian, without a network, and return the exit status."""
    _write_script(root, commands)
    (root / "etc/systemd/system/page.service").write_text(_UNIT)
    _run("chroot", str(root), "systemctl", "enable", "--quiet", "page")
    # Without systemd on the host, the guest cannot be registered.
    apart = () if Path("/run/systemd/system").exists() else ("--register=no", "--keep-unit")
    nspawn = ("systemd-nspawn", "--quiet", "--boot", "--private-network", *apart, f"-D{root}")
    with subprocess.Popen(nspawn, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as guest:
        try:
            status = guest.wait(_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            # A kill would leave the guest running, so shut it down.
            guest.terminate()
            status = guest.wait() or 1
    log = root / "install.log"
    sys.stderr.write(log.read_text(encoding="utf-8") if log.exists() else "it did not boot\n")
    return status


def _write_script(root: Path, commands: list[str]) -> None:
    (root / "install.sh").write_text("\n".join((_PRELUDE, *commands)))


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


if __name__ == "__main__":
    folder = Path(sys.argv[1]).absolute()
    status = install(folder)
    if status == 0:
        shutil.rmtree(folder)
    sys.stderr.write("the page works\n" if status == 0 else f"the page fails; see {folder}\n")
    sys.exit(status)
