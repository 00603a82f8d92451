import type { Reader, Writer } from "./io";
import { Observable } from "./observable";

export type Key = string | number;
export type Handler<T extends Key = string> = (value: T, ...rest: unknown[]) => void;
type Deep<T> = T extends object ? { readonly [K in keyof T]?: Deep<T[K]> } : T;

export interface Options<T> extends Reader, Partial<Writer> {
  name: string;
  limit?: number;
  handlers: Record<string, Handler>;
  convert<U>(value: T): U;
}

export enum Colour {
  Red = "red",
  Green = "green {",
}

declare function assertNever(value: never): asserts value is never;

@sealed()
export abstract class Store<K extends Key, V> implements Iterable<[K, V]> {
  private readonly kept = new Map<K, V>();

  constructor(
    protected readonly options: Options<V>,
    public label?: string,
  ) {}

  get size(): number {
    return this.kept.size;
  }

  abstract open(path: string): Promise<void>;

  put(key: K, value: V): this {
    if (this.kept.size >= (this.options.limit ?? 10)) {
      throw new RangeError(`full: ${this.kept.size} of ${String(this.options.limit)}`);
    }
    this.kept.set(key, value as V);
    return this;
  }

  watch(): Observable<V> {
    return new Observable<V>((subscriber) => {
      for (const [, value] of this.kept) {
        subscriber.next(value!);
      }
    });
  }

  *[Symbol.iterator](): Iterator<[K, V]> {
    yield* this.kept.entries();
  }
}

export const of = <T,>(...values: T[]): T[] => values.filter((value): value is T => value != null);
