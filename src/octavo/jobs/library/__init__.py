"""The library: spaces and collections, and who may use them."""
