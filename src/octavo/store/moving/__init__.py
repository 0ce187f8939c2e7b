"""One database's rows into another, whichever of the two kinds they are."""
