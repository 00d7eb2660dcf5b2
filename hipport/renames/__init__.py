"""rules/*.yaml -> RenameRule, and their matching on tokens."""
