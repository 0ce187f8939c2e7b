"""The database engines and how they are brought up to date."""
