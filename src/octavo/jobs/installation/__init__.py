"""Jobs about the installation itself: whether it is well."""
