"""Who may do what: callers, roles, visitors, and the finders that turn words into records."""
