import java.util.HashMap;
import java.util.Map;

/** Articles and how many pieces of each are in stock. */
public class Inventory {
    private final Map<String, Integer> pieces = new HashMap<>();

    /** Puts pieces of an article into stock. */
    public void add(String article, int count) {
        pieces.put(article, get(article) + count);
    }

    /** Returns how many pieces of an article are in stock. */
    public int get(String article) {
        
    }
}
