"""People: accounts, organizations, members, teams, what they are told."""
