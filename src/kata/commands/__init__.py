"""One file a command: find, one call into the core, show."""

NAMES = ("grade", "list", "show", "verify", "new", "doctor", "classroom")
