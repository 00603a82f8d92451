assert list(even_numbers([1, 2, 3, 4, 0])) == [2, 4, 0]
assert list(even_numbers([])) == []
