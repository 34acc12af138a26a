"""One file a command: find, one call into the core, show."""

NAMES = (
    "init",
    "list",
    "next",
    "show",
    "grade",
    "watch",
    "hint",
    "solution",
    "diff",
    "quiz",
    "progress",
    "reset",
    "update",
    "completion",
    "verify",
    "new",
    "lab",
    "doctor",
    "classroom",
)
