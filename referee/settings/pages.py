"""Settings of the web pages about the games."""

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from referee.settings.paths import SettingPath


def _page_address(url: str) -> str:
    if not re.fullmatch(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~-]+)*/?", url):
        raise ValueError("use https://, a server, and maybe a path")
    return url if url.endswith("/") else f"{url}/"


class PagesSettings(BaseModel):
    """The web pages about the games, which everyone can read."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    folder: SettingPath = Field(
        description="the folder of the pages, which a web server serves",
        examples=["/srv/referee-pages"],
    )
    url: Annotated[str, AfterValidator(_page_address)] = Field(
        description="the address of the pages on the web", examples=["https://games.example.org/"]
    )
