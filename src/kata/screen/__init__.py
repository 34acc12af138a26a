"""What people see in a terminal: the only modules that know rich."""
