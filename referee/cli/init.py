"""``referee init``: a settings file that explains every setting."""

import json
from pathlib import Path

import click

from referee import resources
from referee.errors import Finding, ResourceError

NAME = "referee.toml"
_STATE = '# state_dir = "state"'


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=".")
@click.option(
    "--state-dir",
    type=click.Path(path_type=Path),
    help="The folder for database and secret; by default FOLDER/state.",
)
def command(folder: Path, state_dir: Path | None) -> None:
    """Write FOLDER/referee.toml, which explains every setting. A file that exists is kept."""
    text = (resources.folder("deploy") / NAME).read_text(encoding="utf-8")
    if state_dir is not None:
        text = text.replace(_STATE, f"state_dir = {json.dumps(str(state_dir))}")
    file = folder / NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as writer:
            writer.write(text)
    except FileExistsError as error:
        remedy = "edit it, or move it away and try again"
        raise ResourceError(
            Finding("settings: already exist", remedy, "file", str(file))
        ) from error
    except OSError as error:
        what = f"settings: cannot be written: {error.strerror}"
        raise ResourceError(Finding(what, "choose another folder", "file", str(file))) from error
    click.echo(f"{file} was written.")
    click.echo("Set address and operator in it, the mail sources and the sending. Then start:")
    click.echo(f"  referee --settings {file} run")
