"""Rewrites: one package each, with its documentation page and its cases beside it."""
