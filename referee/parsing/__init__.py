"""The parser of orders, commands and schedules, and the one home of Lark."""
