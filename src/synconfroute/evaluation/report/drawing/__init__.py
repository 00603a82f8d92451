"""Drawings as SVG elements. Colours are classes, which `style` gives for light and dark."""
