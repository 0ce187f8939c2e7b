"""Shapes in and out of the `/v1` API: msgspec structs, and the functions that present records as them."""
