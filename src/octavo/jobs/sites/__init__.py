"""Jobs of sites."""
