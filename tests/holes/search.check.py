for at, item in enumerate([1, 3, 5, 7, 9, 11]):
    assert binary_search([1, 3, 5, 7, 9, 11], item) == at
assert binary_search([1, 3, 5], 4) == -1
