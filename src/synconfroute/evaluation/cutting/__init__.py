"""Where stored answers of several lines may be cut, and what each way of cutting gets right."""
