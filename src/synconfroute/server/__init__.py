"""The language server: protocol, the request's way, settings, command line."""
