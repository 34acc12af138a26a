"""The one error class that a user meets."""


class KataError(Exception):
    """Something that the user can put right; its text says what was done, what was expected and what to do next."""


class OwnFault(Exception):
    """Something that only kata's authors can put right: exit 3, never blamed on the learner."""
