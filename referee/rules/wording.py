"""How rulesets word what the core prints."""


def sentence(remark: str) -> str:
    """Write a remark as a sentence: with a capital first, and a stop at its end."""
    return f"{remark[:1].upper()}{remark[1:].rstrip('.')}."
