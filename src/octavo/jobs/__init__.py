"""The door for work without a caller: what events and schedules ask for."""
