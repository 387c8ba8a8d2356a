"""Checks of the Debian package in a booted Debian, run by ``tests.support.installing``.

A program for that Debian's root, with the Python of the checkout's installation: that of the
package is removed on the way. After ``tests.support.booted`` has played on with the site of the
first release, ``package`` upgrades, removes and purges the package; ``checkout`` changes back from
a checkout to the package. The game goes on each time.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.support.booted import (
    DROP_IN,
    SETTINGS,
    STATE,
    is_replaced,
    main_process,
    play_on,
    referee,
    run,
    say,
    shown,
    turn_now,
    until,
)
from tests.support.installing import UPGRADE

SOURCES: Final = Path("/usr/local/src")
PACKAGE: Final = SOURCES / UPGRADE
"""The package of this version; the page may have installed that of an earlier release."""
PROGRAM: Final = Path("/usr/bin/referee")
EXAMPLE: Final = SETTINGS.with_name("referee.toml.example")
KEPT: Final = Path("/var/lib/kept")
PAGES: Final = {"referee": "referee mail explain", "referee.toml": "poll_seconds"}
"""The manual pages, each with words in it."""
CHECKOUT: Final = (
    "/usr/local/bin/referee",
    "/usr/lib/sysusers.d/referee.conf",
    "/usr/lib/tmpfiles.d/referee.conf",
    "/etc/systemd/system/referee.service",
)
"""What the page adds to the system for a checkout."""


def newer() -> Path:
    """Return the package of this version with a higher number."""
    tree = SOURCES / "newer"
    run("dpkg-deb", "--raw-extract", str(PACKAGE), str(tree))
    control = tree / "DEBIAN" / "control"
    text, count = re.subn(r"^(Version: .+)$", r"\1+1", control.read_text(), flags=re.M)
    assert count == 1
    control.write_text(text)
    upgrade = tree.with_suffix(".deb")
    run("dpkg-deb", "-Znone", "--build", str(tree), str(upgrade))
    return upgrade


def apt(*arguments: str) -> str:
    """Run apt-get, which must ask nothing."""
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    return run("apt-get", "--yes", *arguments)


def version() -> str:
    """Return the installed version."""
    return run("dpkg-query", "--showformat=${Version}", "--show", "referee")


def try_what_it_brings() -> None:
    """Check manual pages and completion, and that a user who can write nothing starts fast."""
    for name, words in PAGES.items():
        file = next(Path("/usr/share/man").glob(f"man?/{name}.?.gz"))
        assert words in run("zcat", str(file))
    words = "COMP_WORDS='referee sta' COMP_CWORD=1 _REFEREE_COMPLETE=bash_complete referee"
    assert run("bash", "-c", words) == "plain,status\n"
    script = "/usr/share/bash-completion/completions/referee"
    run("bash", "-c", f"source {script} && complete -p referee")
    compiled = Path("/usr/lib/referee").glob("lib/python3*/site-packages/referee/__pycache__/*.pyc")
    assert any(compiled)
    say(run("referee", "--version").strip())


def try_an_upgrade_of_the_package() -> None:
    """Check that a newer package takes over from a running referee, and plays on."""
    turn, daemon, before = turn_now(), main_process(), version()
    settings, upgrade = SETTINGS.read_bytes(), newer()
    apt("install", str(upgrade))
    assert version().endswith("+1")
    until("it runs again", lambda: is_replaced(daemon))
    assert SETTINGS.read_bytes() == settings
    play_on(turn)
    say(f"{before} was upgraded to {version()} while it ran, and turn {turn} was played")
    run("systemctl", "stop", "referee")
    apt("install", "--reinstall", str(upgrade))
    assert shown("ActiveState") == "inactive"
    run("systemctl", "disable", "referee")
    run("systemctl", "start", "referee")
    daemon = main_process()
    apt("install", "--reinstall", str(upgrade))
    until("it runs again", lambda: is_replaced(daemon))
    run("systemctl", "enable", "referee")
    say("installed again while it was stopped, it stayed so; while it ran disabled, it ran on")


def try_to_remove_and_purge_it() -> None:
    """Check that only a purge that is answered with yes deletes the site."""
    turn = turn_now()
    apt("remove", "referee")
    assert (shown("ActiveState"), PROGRAM.exists()) == ("inactive", False)
    assert not Path("/usr/lib/referee").exists()
    apt("purge", "referee")
    assert not EXAMPLE.exists()
    assert (STATE / "secret").exists()
    assert SETTINGS.exists()
    apt("install", str(PACKAGE))
    until("it runs", lambda: shown("SubState") == "running")
    assert run("systemctl", "is-enabled", "referee").strip() == "enabled"
    play_on(turn)
    say(f"removed, purged without an answer and installed again, it played turn {turn}")
    _keep_a_copy()
    answer = "referee referee/delete-site boolean true\n"
    run("debconf-set-selections", text=answer)
    apt("purge", "referee")
    assert [each for each in (SETTINGS.parent, PROGRAM) if each.exists()] == []
    # It is a disk of its own here, which stays.
    assert list(STATE.iterdir()) == []
    say("purged with the answer yes, it left neither games nor settings")
    apt("install", str(PACKAGE))
    assert EXAMPLE.exists()
    assert shown("ActiveState") == "inactive"
    refused = subprocess.run(("systemctl", "start", "referee"), capture_output=True, check=False)
    assert refused.returncode != 0
    say("without settings the package starts nothing")
    apt("purge", "referee")
    _put_back()


def _keep_a_copy() -> None:
    """Copy the site, for the checks that follow a purge."""
    run("systemctl", "stop", "referee")
    KEPT.mkdir()
    for folder in (STATE, SETTINGS.parent):
        run("cp", "-a", str(folder), str(KEPT))


def _put_back() -> None:
    for folder in (STATE, SETTINGS.parent):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(exist_ok=True)
        run("cp", "-a", f"{KEPT / folder.name}/.", f"{folder}/")


def try_the_checkout() -> None:
    """Check that a checkout plays on with the site, and that the package takes its place."""
    turn = turn_now()
    assert shown("FragmentPath") == "/etc/systemd/system/referee.service"
    play_on(turn)
    say(f"the checkout played turn {turn}")
    run("systemctl", "disable", "--now", "referee")
    run("rm", "-r", *CHECKOUT, "/opt/referee")
    apt("install", str(PACKAGE))
    until("it runs", lambda: shown("SubState") == "running")
    assert shown("FragmentPath") == "/lib/systemd/system/referee.service"
    play_on(turn + 1)
    say(f"the package has taken its place and played turn {turn + 1}")
    say(referee("replay", "SW-1").strip())


def main(step: str) -> None:
    """Run the checks of the package, or those of the checkout that takes its place."""
    if step == "package":
        DROP_IN.unlink(missing_ok=True)
        try_what_it_brings()
        try_an_upgrade_of_the_package()
        try_to_remove_and_purge_it()
    else:
        try_the_checkout()


if __name__ == "__main__":
    main(sys.argv[1])
