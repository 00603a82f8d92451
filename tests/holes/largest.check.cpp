#include "largest.cpp"

int main() { return largest({3, 9, 2}) == 9 && largest({-5, -7}) == -5 ? 0 : 1; }
