public class CheckTotals {
    public static void main(String[] args) {
        if (Totals.sum(new int[] {1, 2, 3}) != 6 || Totals.sum(new int[] {}) != 0) {
            System.exit(1);
        }
    }
}
