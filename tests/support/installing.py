"""``python -m tests.support.installing FOLDER [PACKAGE]`` runs deploy/install.md in a fresh Debian.

FOLDER becomes the root of a Debian 12, made by debootstrap. The package in dist/ is installed in
it, or that of an earlier release, which it then upgrades, and the program from the checkout next to
it; then systemd is booted there, with its own network
for all mail, for the rest of the page, for the checks of the unit and those of the package. At last
the checkout takes the place of the package. If everything succeeds, FOLDER is removed.

Where systemd cannot be booted, as in most containers, it says so, and only starts and kills the
daemon. Needs root, the network, debootstrap, lintian, systemd-nspawn (Debian: systemd-container)
and four minutes.
"""

import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).parents[2]
PAGE: Final = CHECKOUT / "deploy" / "install.md"
# From here on nothing is downloaded, and mail is sent.
_ALONE: Final = "## The mail server"
_CHECKOUT: Final = "## From a checkout"
_DEBIAN: Final = "http://deb.debian.org/debian"
_SKIPPED: Final = shutil.ignore_patterns(
    ".venv", ".git", ".*_cache", "__pycache__", "build", "dist"
)
_PRELUDE: Final = """
set -euo pipefail
export HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/bin:$PATH
unset TMPDIR
"""
_DOCUMENTS: Final = "cd /usr/share/doc/referee"
_PYTHON: Final = "cd /usr/local/src/referee; {home}/bin/python -B -W ignore -m tests.support"
_BOOTED: Final = f"{_PYTHON.format(home='/usr/lib/referee')}.booted"
_PACKAGED: Final = f"{_PYTHON.format(home='/opt/referee')}.packaged"
# What can be tried of the service where no systemd can be booted.
_UNBOOTED: Final = """
systemd-analyze verify /lib/systemd/system/referee.service
install -d -o referee -g referee-mail -m 2750 /run/referee
begin() { sudo -u referee referee --settings /etc/referee/referee.toml run & }
active() { sudo -u referee referee status | grep -q '^Last active:  2'; }
begin
until active; do sleep 1; done
pkill --signal KILL --uid referee
wait
begin
sudo -u referee referee doctor settings rulesets state disk database letters
pkill --signal TERM --uid referee
wait
"""
UPGRADE: Final = "upgrade.deb"
"""The name of the package in dist/, next to the one that the page installs."""
_PATIENCE_SECONDS: Final = 1800.0
_DISK_OCTETS: Final = 2**30
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


def install(root: Path, earlier: Path | None) -> int:
    """Run the page in *root*, with the package of an *earlier* release if there is one.

    Returns the exit status.
    """
    if root.exists():
        sys.exit(f"{root} is there already; the Debian must be a fresh one")
    needed = ("debootstrap", "lintian", "systemd-nspawn")
    if missing := [each for each in needed if not shutil.which(each)]:
        sys.exit(f"not installed: {', '.join(missing)}")
    (package,) = (CHECKOUT / "dist").glob("referee_*.deb")
    _run("lintian", "--allow-root", "--fail-on", "error", str(package))
    # The packages that Debian's installer also adds.
    packages = "--include=systemd,dbus,ca-certificates,e2fsprogs,procps"
    _run("debootstrap", "--variant=minbase", packages, "bookworm", str(root), _DEBIAN)
    sources = root / "usr/local/src/referee"
    shutil.copytree(CHECKOUT, sources, ignore=_SKIPPED)
    shutil.copy(earlier or package, sources.parent)
    shutil.copy(package, sources.parent / UPGRADE)
    for name in ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt"):
        shutil.copyfile(f"/{name}", root / name)
    # Written like this by Debian's installer.
    (root / "etc/hosts").write_text(f"127.0.0.1 localhost {socket.gethostname()}\n")
    page, checkout = PAGE.read_text(encoding="utf-8").split(_CHECKOUT)
    before, after = map(blocks, page.split(_ALONE))
    fetching, *replacing = blocks(checkout)
    boots = [before[0], _DOCUMENTS, *after, _BOOTED, f"{_PACKAGED} package"]
    boots.extend([*replacing, f"{_PACKAGED} checkout"])
    status = _in_chroot(root, [*before, fetching]) or _booted(root, boots)
    if status == 0 or (root / "install.log").exists():
        return status
    sys.stderr.write("systemd cannot be booted here: only the start and a kill are tried\n")
    return _in_chroot(root, [_UNBOOTED])


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
    with _disk(root.with_name("disk")) as disk, _guest(root, disk) as guest:
        try:
            status = guest.wait(_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            # A kill would leave the guest running, so shut it down.
            guest.terminate()
            status = guest.wait() or 1
    log = root / "install.log"
    if log.exists():
        sys.stderr.write(log.read_text(encoding="utf-8"))
    return status


@contextmanager
def _disk(image: Path) -> Iterator[str]:
    """Yield a small empty disk, or "" if this machine has no loop devices."""
    with image.open("wb") as file:
        file.truncate(_DISK_OCTETS)
    _run("mkfs.ext4", "-q", str(image))
    loop = ("losetup", "--find", "--show", str(image))
    done = subprocess.run(loop, stdout=subprocess.PIPE, text=True, check=False)
    disk = done.stdout.strip() if done.returncode == 0 else ""
    try:
        yield disk
    finally:
        if disk:
            _run("losetup", "--detach", disk)
        image.unlink()


def _guest(root: Path, disk: str) -> subprocess.Popen[bytes]:
    """Boot the Debian, with a disk of its own, and return its process."""
    # Without systemd on the host, the guest cannot be registered, and can use all its devices.
    if Path("/run/systemd/system").exists():
        extra = [f"--property=DeviceAllow={disk} rwm"] if disk else []
    else:
        extra = ["--register=no", "--keep-unit"]
    if disk:
        extra.append(f"--bind={disk}:/dev/state")
    nspawn = ("systemd-nspawn", "--quiet", "--boot", "--private-network", *extra, f"-D{root}")
    return subprocess.Popen(nspawn, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def _write_script(root: Path, commands: list[str]) -> None:
    (root / "install.sh").write_text("\n".join((_PRELUDE, *commands)))


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


if __name__ == "__main__":
    folder = Path(sys.argv[1]).absolute()
    status = install(folder, Path(sys.argv[2]) if sys.argv[2:] else None)
    if status == 0:
        shutil.rmtree(folder)
    sys.stderr.write("the page works\n" if status == 0 else f"the page fails; see {folder}\n")
    sys.exit(status)
