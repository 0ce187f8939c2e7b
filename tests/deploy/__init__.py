"""What an operator installs and copies: packages, image, examples for proxies and services."""
