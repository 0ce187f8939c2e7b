"""The door for browsers that sign in by SAML: it proves who somebody is, no more."""
