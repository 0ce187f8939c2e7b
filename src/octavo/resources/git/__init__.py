"""Git: operations of spaces, and branches that they follow."""
