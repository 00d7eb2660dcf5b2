"""Models of the hardware: pure functions over Target."""
