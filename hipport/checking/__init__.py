"""From findings to a check's answer: which of them count, which are excused, and which are new."""
