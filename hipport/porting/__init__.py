"""From a tree to its port: plan, find, edit, guard, write."""
