"""One model at several levels of quantization: what fewer bits cost, and what they save."""
