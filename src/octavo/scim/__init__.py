"""DOOR: SCIM 2.0 under /scim/v2, by which an organization's identity provider says who is in it and in which teams."""
