"""Just enough of shell and SQL to tell a command from a mention of it, looked at where a rule may match."""
