"""A site as visitors meet it: from an address to a page, and the tree that they may see."""
