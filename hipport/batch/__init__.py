"""Port coverage over many repositories: what each needs, how much work that is, and what stands in the way."""
