"""Reports in the formats of other systems: one file a format, each a function of a Report or a Gradebook."""
