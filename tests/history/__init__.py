"""Tests of where content meets storage."""
