import java.util.ArrayList;
import java.util.List;

public class Stack {
    private final List<String> items = new ArrayList<>();

    /** Puts an item on top of the stack. */
    public void push(String item) {
        ⟦items.add(item);⟧
    }

    /** Returns the number of items. */
    public int size() {
        return items.size();
    }

    /** Returns the item on top of the stack. */
    public String peek() {
        return items.get(items.size() - 1);
    }
}
