"""A small inventory: how many pieces of each article are in stock."""


class Inventory:
    """Articles and how many pieces of each are in stock."""

    def __init__(self):
        self.pieces = {}

    def add(self, article, count):
        """Put count pieces of an article into stock."""
        self.pieces[article] = self.pieces.get(article, 0) + count

    def remove(self, article, count):
        """Take count pieces of an article out of stock."""
        

    def total(self):
        """Return the number of pieces in stock."""
        return sum(self.pieces.values())
