"""The page with plots: one HTML file that needs nothing else. Drawn as reports are."""
