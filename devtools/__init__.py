"""Tools for those who change Signalbox: used by tests and by hand from a checkout, never by the product or its image."""
