"""Text in, text out: reading files, tokens, edits, the guard, and the only writer of files."""
