"""Integrations, their installations and events; webhooks."""
