"""Text into typed orders, commands and schedules: the one home of Lark."""
