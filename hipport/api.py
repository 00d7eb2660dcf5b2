"""What the command line, tests and notebooks call: typed in, typed out. Nothing here prints or ends the process."""

from __future__ import annotations
