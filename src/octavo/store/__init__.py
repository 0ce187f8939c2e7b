"""The seam to the database: the only SQL, plain text with :names, one file a family."""
