import React, { useState } from "react";

export function Counter({ start = 0, items, ...props }) {
  const [count, setCount] = useState(start);
  const label = count > 3 ? "many" : "few";

  return (
    <div className="counter" {...props}>
      <h1>It's {count} (don't {"{panic}"}</h1>
      {items.length > 0 && (
        <ul>
          {items.map((item) => (
            <li key={item.id} onClick={() => setCount(count + 1)}>
              {item.name}: {item.price < 3 ? <b>cheap</b> : `${item.price} each`}
            </li>
          ))}
        </ul>
      )}
      <>
        <input type="text" value={label} disabled />
        <Field.Text name="a" style={{ color: "red", width: 3 }} />
      </>
    </div>
  );
}

export default Counter;
