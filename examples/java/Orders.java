import java.util.ArrayList;
import java.util.List;

/** Orders of a shop, in the order in which they came. */
public class Orders {
    private final List<Integer> prices = new ArrayList<>();

    /** Adds an order to the list. */
    public void add(int price) {
        
    }

    /** Returns the sum of all prices. */
    public int total() {
        int total = 0;
        for (int price : prices) {
            total += price;
        }
        return total;
    }
}
