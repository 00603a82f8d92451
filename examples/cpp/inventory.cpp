#include <map>
#include <string>

// Articles and how many pieces of each are in stock.
class Inventory {
public:
    // Puts pieces of an article into stock.
    void add(const std::string& article, int count) {
        pieces_[article] += count;
    }

    // Takes pieces of an article out of stock.
    void remove(const std::string& article, int count) {
        
    }

private:
    std::map<std::string, int> pieces_;
};
