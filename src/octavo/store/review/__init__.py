"""Review: change requests, reviews, comments."""
