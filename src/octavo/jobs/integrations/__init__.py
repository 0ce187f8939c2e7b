"""What integrations and webhooks are told."""
