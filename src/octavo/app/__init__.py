"""The door of the application in the browser: its files, and the token that a page works with."""
