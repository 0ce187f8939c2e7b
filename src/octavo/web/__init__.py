"""HTTP as all doors speak it: one answer, one reader of bodies, queries and forms, one way to make pages."""
