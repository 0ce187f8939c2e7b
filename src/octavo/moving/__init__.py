"""`octavo transfer` and `octavo blobs`: an installation, or its files alone, from one place to another."""
