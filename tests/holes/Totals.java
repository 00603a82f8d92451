public class Totals {
    /** Returns the sum of all values. */
    public static int sum(int[] values) {
        int total = 0;
        for (int value : values) {
            ⟦total += value;⟧
        }
        return total;
    }
}
