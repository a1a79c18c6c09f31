"""One file a sub-command; the only place that reads argv and environment, catches, exits."""
