"""The statistics as one HTML page that needs nothing else: no network, no script."""

from synconfroute.server.observation.page.document import page

__all__ = ["page"]
