"""The report on two models and the rules between them: Markdown, and one page for a browser."""
