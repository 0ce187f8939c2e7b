"""Sites: what is published."""
