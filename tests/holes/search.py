def binary_search(items, target):
    """Return the index of target in the sorted list items, or -1."""
    low = 0
    high = len(items) - 1
    while low <= high:
        mid = ⟦(low + high) // 2⟧
        if items[mid] == target:
            return mid
        elif items[mid] < target:
            low = mid + 1
        else:
            high = mid - 1
    return -1
