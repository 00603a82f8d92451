#include <string>
#include <vector>

// Names on a stack: the last one in is the first one out.
class Stack {
public:
    // Puts a name on top of the stack.
    void push(const std::string& name) {
        names.push_back(name);
    }

    // Removes the name on top of the stack.
    void pop() {
        
    }

private:
    std::vector<std::string> names;
};
