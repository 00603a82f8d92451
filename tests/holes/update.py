def count_words(words):
    """Count how often each word occurs."""
    counts = {}
    for word in words:
        ⟦counts[word] = counts.get(word, 0) + 1⟧
    return counts
