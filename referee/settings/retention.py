"""Settings of how long old data is kept."""

from pydantic import BaseModel, ConfigDict, Field


class RetentionSettings(BaseModel):
    """When old data is compressed or deleted."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    bundle_days: int = Field(
        default=60,
        ge=0,
        le=36500,
        description="the days until emails and states of a game are compressed together; "
        "nothing is lost; 0 for never",
        examples=[60],
    )
    strangers_days: int = Field(
        default=365,
        ge=0,
        le=36500,
        description="the days until emails without a game are deleted; 0 for never",
        examples=[365],
    )
    unproven_days: int = Field(
        default=30,
        ge=0,
        le=36500,
        description="the days until emails of unknown senders, and those that nobody has "
        "confirmed, are deleted; 0 for never",
        examples=[30],
    )
    ignored_days: int = Field(
        default=90,
        ge=0,
        le=36500,
        description="the days until automatic emails without a game are deleted; 0 for never",
        examples=[90],
    )
    quarantined_days: int = Field(
        default=365,
        ge=0,
        le=36500,
        description="the days until quarantined emails without a game are deleted; 0 for never",
        examples=[365],
    )
