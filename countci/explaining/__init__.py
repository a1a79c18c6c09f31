"""Where a difference of instructions comes from: functions, lines, hunks of the diff."""
