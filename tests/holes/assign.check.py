assert rectangle_area(3, 4) == 12
assert rectangle_area(0, 9) == 0
