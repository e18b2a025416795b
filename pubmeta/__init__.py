"""pubmeta: dblp as one local store, and who has written with whom."""

__version__ = "0.1.0"
