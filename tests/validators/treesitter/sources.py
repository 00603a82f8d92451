"""Valid files that the tests of this folder take apart."""

JAVA = """\
package a.b;

import java.util.*;
import java.util.stream.Collectors;

/** A store. */
public final class Store<K extends Comparable<K>, V> implements Iterable<V> {
    private final Map<K, V> kept = new TreeMap<>();
    private static final String TEXT = "a(b{c";
    private final int[] sizes = {1, 2,
        3};

    @Override
    public Iterator<V> iterator() {
        return kept.values().stream().filter(v -> v != null).iterator();
    }

    public V put(final K key, V value) throws IllegalStateException {
        if (key == null || value == null) {
            throw new IllegalStateException("null: " + key);
        } else if (key.equals(value)) {
            return null;
        }
        for (int i = 0, n = kept.size(); i < n; i++) {
            kept.merge(key, value, (a, b) -> b);
        }
        int kind = switch (kept.size()) {
            case 0, 1 -> 3;
            default -> { yield 4; }
        };
        switch (kind) {
            case 3:
                kept.clear();
                break;
            default:
                log("kind", kind,
                    kept);
        }
        return kind > 3 ? kept.get(key) : null;
    }

    List<String> names() {
        String text = \"\"\"
            {"a": [
            \"\"\";
        return kept.keySet().stream()
            .map(Object::toString)
            .filter(name -> {
                char c = name.charAt(0);
                return c != '{' && c != '\\\\';
            })
            .collect(Collectors.toList());
    }
}
"""

CPP = """\
#include <map>
#include <vector>

#define LIMIT 10

namespace store {

template <typename K, typename V = std::vector<K>>
class Store final {
 public:
  explicit Store(int size) : size_(size), kept_{} {}

  auto get(const K& key) const -> const V* {
    auto found = kept_.find(key);
    if (found == kept_.end()) {
      return nullptr;
    } else if (size_ > LIMIT) {
      throw std::runtime_error("full {");
    }
#ifdef FAST
    if (size_ > 3) {
#else
    if (size_ > 4) {
#endif
      total_ += 3;
    }
    for (const auto& [name, value] : kept_) {
      total_ += static_cast<int>(value.size()) << 2;
    }
    std::sort(begin(order_), end(order_), [&](int a, int b) { return a < b; });
    std::cout << "kept: " << kept_.size() << R"x(a { ")" )x"
              << '\\n';
    return &found->second;
  }

 private:
  int size_ = 0;
  std::map<K, V> kept_;
};

}  // namespace store
"""
