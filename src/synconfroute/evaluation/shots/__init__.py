"""What solved examples in the prompt do to answers, against the same tasks without any."""
