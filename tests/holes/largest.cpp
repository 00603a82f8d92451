#include <vector>

// Returns the largest value of a vector that is not empty.
int largest(const std::vector<int>& values) {
    int best = values[0];
    for (int value : values) {
        if (value > best) {
            ⟦best = value;⟧
        }
    }
    return best;
}
