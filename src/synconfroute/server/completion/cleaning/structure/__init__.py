"""Where a text of several lines must end."""
