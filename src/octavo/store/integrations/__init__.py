"""Shelves of integrations and webhooks."""
