"""Objects of an archive and how they are read."""
