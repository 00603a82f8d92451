calls = []


@memoize
def double(n):
    calls.append(n)
    return 2 * n


assert [double(2), double(2), double(3)] == [4, 4, 6]
assert calls == [2, 3]
