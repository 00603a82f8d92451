def rectangle_area(width, height):
    """Return the area of a rectangle."""
    area = ⟦width * height⟧
    return area
