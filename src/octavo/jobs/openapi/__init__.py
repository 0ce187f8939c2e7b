"""Jobs of OpenAPI specifications: fetched, read apart from the server, kept as a version."""
