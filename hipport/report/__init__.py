"""Values in, text out: what a port or a check found, in every format that a person or a tool reads."""
