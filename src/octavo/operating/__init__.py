"""What operators look at: what is set, what is not well, what there is."""
