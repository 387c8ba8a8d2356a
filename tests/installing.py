"""``python -m tests.installing FOLDER``: runs every command of deploy/install.md in a fresh Debian.

FOLDER becomes the root of a Debian 12 (debootstrap makes it), in which the commands run without a
service manager: what they tell systemd is done in its place, with the unit's own command line.
Needs root, the network, debootstrap and a few minutes; the mail of the game stays inside, in a
network of its own.
"""

import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).parents[1]
PAGE: Final = CHECKOUT / "deploy" / "install.md"
# From here on nothing is fetched any more, and mail is sent.
_ALONE: Final = "## The mail server"
_DEBIAN: Final = "http://deb.debian.org/debian"
_SKIPPED: Final = shutil.ignore_patterns(".venv", ".git", ".*_cache", "__pycache__")
# What a root without a service manager lacks: what the page tells systemd is done by hand.
_STAND_INS: Final = """
systemctl() {
    case "$*" in
        daemon-reload) ;;
        "restart postfix") postfix start ;;
        "enable --now referee")
            command systemctl enable referee
            line=$(sed -n 's/^ExecStart=//p' /etc/systemd/system/referee.service)
            cd /; setsid runuser -u referee -- $line 2> /var/log/referee.log & cd "$OLDPWD"
            until grep -q "the referee is ready" /var/log/referee.log; do sleep 1; done ;;
        *) echo "the page tells systemd: $*" >&2; exit 1 ;;
    esac
}
"""
_PRELUDE: Final = "set -euo pipefail\nexport HOME=/root LC_ALL=C.UTF-8\nPATH=/usr/local/bin:$PATH\n"


def blocks(text: str) -> list[str]:
    """Give the commands of a page that are marked as such, block by block."""
    return re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)


def install(root: Path) -> int:
    """Run the page in *root*; give the exit status."""
    if root.exists():
        sys.exit(f"{root} is there already; the Debian must be a fresh one")
    packages = "--include=systemd,ca-certificates"
    _run("debootstrap", "--variant=minbase", packages, "bookworm", str(root), _DEBIAN)
    sources = root / "usr/local/src/referee"
    shutil.copytree(CHECKOUT, sources, ignore=_SKIPPED)
    for name in ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt"):
        shutil.copyfile(f"/{name}", root / name)
    # As Debian's own installer leaves it.
    (root / "etc/hosts").write_text(f"127.0.0.1 localhost {socket.gethostname()}\n")
    before, after = PAGE.read_text(encoding="utf-8").split(_ALONE)
    return _in(root, blocks(before), ()) or _in(
        root, blocks(before)[:1] + blocks(after), ("--net",)
    )


def _in(root: Path, commands: list[str], apart: tuple[str, ...]) -> int:
    script = "\n".join((_PRELUDE, _STAND_INS, "cd /usr/local/src/referee", *commands))
    if apart:
        # The new network has nothing, not even itself.
        script = f"python3 -c '{_LOOPBACK}'\n{script}\npostfix stop\n"
    (root / "install.sh").write_text(script)
    mount = f"mount -t proc proc {root}/proc && exec chroot {root} bash -x /install.sh"
    unshare = ("unshare", "--mount", "--pid", "--fork", "--kill-child", *apart)
    return subprocess.run([*unshare, "bash", "-c", mount], check=False).returncode


_LOOPBACK: Final = (
    "import fcntl, socket, struct; "
    'fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh22x", b"lo", 1))'
)


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


if __name__ == "__main__":
    status = install(Path(sys.argv[1]).absolute())
    sys.stderr.write("the page works\n" if status == 0 else "the page fails\n")
    sys.exit(status)
