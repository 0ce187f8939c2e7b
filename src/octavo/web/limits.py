"""What a request may bring to any door, once."""

QUERY_MAX = 16 << 10
"""Bytes of a query string: twice what proxies let pass."""
FIELDS_MAX = 200
"""Fields of a query, or of a form."""
FORM_MAX = 64 << 10
"""Bytes of a form that a person fills in."""
LOGOUT_FORM_MAX = 64 << 10
"""Bytes of the form by which an identity provider says that somebody is logged out."""
SAML_FORM_MAX = 512 << 10
"""Bytes of the form by which a browser brings the answer of an identity provider."""
