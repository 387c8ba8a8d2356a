"""The views of rulesets as text, values and pictures."""
