"""Sees the device code: text without comments, call sites, functions, kernel closures, and clang's view of them."""
