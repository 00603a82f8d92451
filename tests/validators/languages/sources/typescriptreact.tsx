import * as React from 'react';
import { type ReactNode, useMemo } from 'react';

import {
    Field,
    type FieldProps,
} from './field';

interface ListProps<T> extends React.ComponentPropsWithoutRef<'ul'> {
    items: T[];
    render: (item: T) => ReactNode;
    empty?: ReactNode;
}

/** A list of things. */
export const List = <T extends { id: string }>(props: ListProps<T>) => {
    const { items, render, empty = null, ...rest } = props;
    const sorted = useMemo(() => [...items].sort((a, b) => (a.id < b.id ? -1 : 1)), [items]);

    if (!sorted.length) {
        return <p className="empty">There's nothing {empty}</p>;
    }

    return (
        <ul {...rest}>
            {sorted.map(item => (
                <li key={item.id}>{render(item)}</li>
            ))}
            <Field<T>
                name="total"
                value={String(sorted.length)}
                onChange={event => {
                    console.log(event.target.value, `(${sorted.length})`);
                }}
            />
        </ul>
    );
};

export type { FieldProps };
