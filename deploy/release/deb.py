"""``python -m deploy.release.deb`` builds dist/referee_VERSION_ARCHITECTURE.deb for this Debian.

The package has the program in a virtual environment of its own, /usr/lib/referee, for the Python of
this Debian, with the locked packages that it needs. Nothing in it depends on the machine or the
time: the same sources give the same bytes.
"""

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

from deploy.release import ROOT, completion, licences, manual, release_time
from referee import resources

HOME: Final = Path("usr/lib/referee")
_PYTHON: Final = "/usr/bin/python3"
_PARTS: Final = Path(__file__).with_name("debian")
_PIP: Final = ("-m", "pip", "--disable-pip-version-check", "--quiet")
_LOOSE: Final = ("--no-compile", "--no-deps")
_SCRIPTS: Final = ("config", "postinst", "prerm", "postrm")
_DOC: Final = Path("usr/share/doc/referee")
_TEMPLATE: Final = "etc/referee/referee.toml.example"
_OF_THE_SERVICE: Final = {
    '# state_dir = "state"': 'state_dir = "/var/lib/referee"',
    '# protocol = "smtp"': 'protocol = "lmtp"',
    '# socket = "/run/referee/lmtp"': 'socket = "/run/referee/lmtp"',
    "\nport = 8025\n": "\n# port = 8025\n",
}
"""What the example settings of the package have instead of those for a trial."""
_LINK: Final = re.compile(r"(?<!!)\[(?P<words>[^\]]+)\]\((?P<file>[^)#:]+)(?:#[^)]*)?\)")
_DOCUMENTS: Final = ("README.md", "CHANGELOG.md", "NOTICE", "docs", "deploy", "grammars")


@dataclass(frozen=True, slots=True)
class Target:
    """What the package is for: a version of Python, and a kind of machine."""

    python: tuple[int, int]
    architecture: str


def build() -> Path:
    """Build the package, and return its file."""
    target = _target()
    work = ROOT / "build" / "deb"
    shutil.rmtree(work, ignore_errors=True)
    tree = work / "tree"
    os.umask(0o022)
    # Python would leave compiled files in the tree, which Debian does not allow in a package.
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    _make_environment(work, tree)
    add_system_files(tree)
    add_documents(tree)
    return _packed(tree, target, metadata.version("referee"))


def _target() -> Target:
    code = "import sys; print(*sys.version_info[:2])"
    major, minor = _output(_PYTHON, "-c", code).split()
    return Target((int(major), int(minor)), _output("dpkg", "--print-architecture"))


def _make_environment(work: Path, tree: Path) -> None:
    """Install the program and what it needs, for a folder that the environment is moved to."""
    home = tree / HOME
    _run(_PYTHON, "-m", "venv", "--without-pip", str(home))
    pip = (sys.executable, *_PIP, "--python", str(home / "bin/python"), "install", *_LOOSE)
    lock = work / "requirements.lock"
    lock.write_text(licences.locked(), encoding="utf-8")
    _run(*pip, "--use-pep517", "--require-hashes", "--requirement", str(lock))
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(work / "wheel"))
    (wheel,) = (work / "wheel").glob("*.whl")
    _run(*pip, "--no-index", str(wheel))
    move_environment(home)


def move_environment(home: Path) -> None:
    """Write the final place of the environment wherever its present one is."""
    for file in (home / "bin").iterdir():
        # What is left: Python itself and our own program.
        if not file.name.startswith("python") and file.name != "referee":
            file.unlink()
    shutil.rmtree(home / "include")
    for name in ("bin/referee", "pyvenv.cfg"):
        text = (home / name).read_text(encoding="utf-8")
        (home / name).write_text(text.replace(str(home), f"/{HOME}"), encoding="utf-8")
    (site,) = home.glob("lib/python*/site-packages")
    for file in site.glob("*.dist-info/direct_url.json"):
        file.unlink()
    for file in site.glob("*.dist-info/RECORD"):
        kept = re.sub(r"^.*(?:\.\./bin/|direct_url\.json).*\n", "", file.read_text(), flags=re.M)
        file.write_text(kept, encoding="utf-8")
    for link in (home / "bin").iterdir():
        if link.is_symlink() and link.readlink().is_absolute():
            place = os.path.relpath(link.readlink(), f"/{HOME}/bin")
            link.unlink()
            link.symlink_to(place)


def add_system_files(tree: Path) -> None:
    """Add the program's name, the unit, the user, the settings, manual pages and completion."""
    deploy = resources.folder("deploy")
    unit = (deploy / "referee.service").read_text(encoding="utf-8")
    example = (deploy / "referee.toml").read_text(encoding="utf-8")
    for trial, service in _OF_THE_SERVICE.items():
        example = example.replace(trial, service)
    texts = {
        "lib/systemd/system/referee.service": unit.replace("=/opt/referee", f"=/{HOME}"),
        "usr/lib/sysusers.d/referee.conf": (deploy / "referee.sysusers").read_text(),
        "usr/lib/tmpfiles.d/referee.conf": (deploy / "referee.tmpfiles").read_text(),
        _TEMPLATE: example,
        "usr/share/lintian/overrides/referee": (_PARTS / "lintian-overrides").read_text(),
    }
    for name, text in texts.items():
        _write(tree / name, text)
    (tree / "usr/bin").mkdir(parents=True)
    (tree / "usr/bin/referee").symlink_to("../lib/referee/bin/referee")
    for name, page in manual.PAGES.items():
        section = name.rpartition(".")[2]
        _write_compressed(tree / f"usr/share/man/man{section}/{name}.gz", page())
    completion.write(tree / "usr/share")


def add_documents(tree: Path) -> None:
    """Add the guides where the links between them work, the licences and the changelog."""
    doc = tree / _DOC
    doc.mkdir(parents=True)
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "release")
    for name in _DOCUMENTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, doc / name, ignore=ignored)
        else:
            shutil.copyfile(ROOT / name, doc / name)
    for page in doc.rglob("*.md"):
        _unlink_absent(page)
    _write(doc / "copyright", licences.copyright_text())
    version, date = metadata.version("referee"), release_time()
    _write_compressed(
        doc / "changelog.gz",
        f"referee ({version}) stable; urgency=medium\n\n"
        f"  * Version {version}: see /{_DOC}/CHANGELOG.md.\n\n"
        f" -- {_maintainer()}  {date:%a, %d %b %Y %H:%M:%S +0000}\n",
    )


def _unlink_absent(page: Path) -> None:
    """Leave only the words of links to files of the checkout that the package lacks."""

    def kept(link: re.Match[str]) -> str:
        return link[0] if (page.parent / link["file"]).exists() else link["words"]

    text = page.read_text(encoding="utf-8")
    page.write_text(_LINK.sub(kept, text), encoding="utf-8")


def _maintainer() -> str:
    (found,) = re.findall(r"^Maintainer: (.+)$", (_PARTS / "control").read_text(), re.M)
    return str(found)


def _packed(tree: Path, target: Target, version: str) -> Path:
    """Add what dpkg reads, and return the finished package."""
    files = sorted(file for file in tree.rglob("*") if file.is_file() and not file.is_symlink())
    for file in files:
        file.chmod(0o755 if file.parent == tree / HOME / "bin" else 0o644)
    meta = tree / "DEBIAN"
    sums = (f"{_checksum(each)}  {each.relative_to(tree)}" for each in files)
    _write(meta / "md5sums", "\n".join((*sums, "")))
    major, minor = target.python
    size = sum(-(-file.stat().st_size // 1024) for file in files)
    control = (_PARTS / "control").read_text(encoding="utf-8")
    values = {
        "@VERSION@": version,
        "@ARCHITECTURE@": target.architecture,
        "@SIZE@": str(size),
        "@PYTHON@": f"{major}.{minor}",
        "@NEXT_PYTHON@": f"{major}.{minor + 1}",
    }
    for mark, value in values.items():
        control = control.replace(mark, value)
    _write(meta / "control", control)
    _write(meta / "conffiles", f"/{_TEMPLATE}\n")
    shutil.copyfile(_PARTS / "templates", meta / "templates")
    for name in _SCRIPTS:
        shutil.copyfile(_PARTS / name, meta / name)
        (meta / name).chmod(0o755)
    package = ROOT / "dist" / f"referee_{version}_{target.architecture}.deb"
    package.parent.mkdir(exist_ok=True)
    epoch = str(int(release_time().timestamp()))
    # More compression takes five times as long, and saves an eighth.
    command = ("dpkg-deb", "--root-owner-group", "-Zxz", "-z1", "--build", str(tree), str(package))
    _run(*command, environment={**os.environ, "SOURCE_DATE_EPOCH": epoch})
    return package


def _checksum(file: Path) -> str:
    return hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest()


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _write_compressed(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(text.encode(), mtime=0))


def _output(*command: str) -> str:
    return subprocess.run(  # noqa: S603 - what dpkg and Python say of this machine
        command, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()


def _run(*command: str, environment: dict[str, str] | None = None) -> None:
    subprocess.run(command, check=True, cwd=ROOT, env=environment)  # noqa: S603 - fixed words


if __name__ == "__main__":
    sys.stdout.write(f"{build().relative_to(ROOT)}\n")
