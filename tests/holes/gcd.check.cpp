#include "gcd.cpp"

int main() { return gcd(12, 18) == 6 && gcd(7, 3) == 1 && gcd(5, 0) == 5 ? 0 : 1; }
