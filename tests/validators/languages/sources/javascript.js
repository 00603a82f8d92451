import { readFile } from "node:fs/promises";
import path, { join as joined } from "node:path";

const LINE = /^\s*(["'`({[])\1?[^\])}]*$/u;
const half = (total, count) => (count ? total / count / 2 : 0);

export const names = [
	"one",
	{ key: "two", nested: [1, 2, 3] },
	...others,
];

/** A store of {things}. */
export class Store extends Map {
	#size = 0;
	static limit = 10;

	constructor(entries = [], { limit = Store.limit, ...rest } = {}) {
		super(entries);
		this.rest = rest;
		this.label = `store of ${entries.length} (${limit > 3 ? `big: ${limit}` : "small {"})`;
	}

	get size() {
		return this.#size;
	}

	async *lines(file) {
		const text = await readFile(joined(".", file), "utf8");
		for (const line of text.split("\n")) {
			if (
				LINE.test(line) &&
				!line.startsWith("//") &&
				(line.length > 3 || line === "ok")
			) {
				yield line.trim();
			} else if (line === "") {
				continue;
			}
		}
	}
}

export default function run(store, callback) {
	try {
		return store
			.filter((item) => item?.value ?? false)
			.map(({ value }) => {
				switch (typeof value) {
					case "string":
						return value.replace(/[{(]/g, "");
					default:
						return half(value, 2);
				}
			})
			.reduce((sum, value) => sum + value, 0);
	} catch (error) {
		callback(error, function failed() {
			console.error(path.sep + error.message);
		});
	} finally {
		store.clear();
	}
}
