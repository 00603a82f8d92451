/**
 * Opens a page in Chromium, does what is asked, and prints what there is to see as one JSON object.
 *
 * usage: reader.js CHROMIUM '{"address", "width", "scheme", "media", "keys", "picture"}'
 */

const { chromium } = require("playwright-core");

const PICTURE_HEIGHT = 1520;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];

/** Runs in the page: all of its numbers, in the order of the page. */
function seen() {
  const text = (node) => node.textContent.replaceAll("\u00a0", " ").trim();
  const box = (node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return { x, y, width, height };
  };
  const style = (selector) => {
    const node = document.querySelector(selector);
    return node && { color: getComputedStyle(node).color, background: getComputedStyle(node).backgroundColor };
  };
  return {
    title: document.title,
    headings: [...document.querySelectorAll("h1, h2")].map(text),
    tiles: [...document.querySelectorAll("dl.tiles div")].map((tile) => [...tile.children].map((node) => node.innerText.replaceAll("\u00a0", " "))),
    tables: [...document.querySelectorAll("table")].map((table) => ({
      caption: text(table.caption),
      rows: [...table.rows].map((row) => [...row.cells].map(text)),
      dots: [...table.querySelectorAll(".track i")].map((dot) => {
        const track = dot.parentElement.getBoundingClientRect();
        const { x, width } = dot.getBoundingClientRect();
        return (x + width / 2 - track.x) / track.width;
      }),
    })),
    drawings: [...document.querySelectorAll("svg")].map((svg) => ({
      label: svg.getAttribute("aria-label"),
      role: svg.getAttribute("role"),
      circles: [...svg.querySelectorAll("circle")].map(box),
      bars: [...svg.querySelectorAll("rect")].map((bar) => ({ ...box(bar), kind: bar.getAttribute("class") })),
      notes: [...svg.querySelectorAll("title")].map(text),
    })),
    open: [...document.querySelectorAll("details")].map((details) => details.open),
    focused: document.activeElement.tagName,
    wide: document.documentElement.scrollWidth - window.innerWidth,
    body: style("body"),
    soft: style(".note"),
    card: style("section"),
  };
}

async function main([executablePath, given]) {
  const { address, width, scheme, media, keys, picture } = JSON.parse(given);
  const browser = await chromium.launch({ executablePath, args: FLAGS, timeout: 120_000 });
  try {
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      colorScheme: scheme,
    });
    const asked = [];
    const faults = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => faults.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(String(error)));
    await page.goto(address, { waitUntil: "load", timeout: 60_000 });
    if (media) {
      await page.emulateMedia({ media });
    }
    for (const key of keys) {
      await page.keyboard.press(key);
    }
    const found = await page.evaluate(seen);
    if (picture) {
      await page.setViewportSize({ width, height: PICTURE_HEIGHT });
      await page.screenshot({ path: picture });
    }
    process.stdout.write(JSON.stringify({ ...found, asked, faults }));
  } finally {
    await browser.close();
  }
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
