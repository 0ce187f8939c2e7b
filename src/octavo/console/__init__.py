"""The door for people: signing in, and what they have in this installation."""
