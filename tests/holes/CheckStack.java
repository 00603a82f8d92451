public class CheckStack {
    public static void main(String[] args) {
        Stack stack = new Stack();
        stack.push("a");
        stack.push("b");
        if (stack.size() != 2 || !stack.peek().equals("b")) {
            System.exit(1);
        }
    }
}
