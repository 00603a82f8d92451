/**
 * One browser window with VS Code in it, driven by lines of JSON on stdin: {id, act, params}.
 * Each is answered on stdout: {id, value} or {id, error}. Ends with its stdin.
 *
 * usage: driver.js CHROMIUM PROFILE_FOLDER ADDRESS SCALE
 */

const { createInterface } = require("node:readline");
const { chromium } = require("playwright-core");

const SIZE = { width: 1000, height: 620 };
const STARTING_MS = 240_000;
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

async function openWindow([executablePath, profile, address, scale]) {
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: FLAGS,
    headless: true,
    viewport: SIZE,
    deviceScaleFactor: Number(scale),
    timeout: STARTING_MS,
  });
  const page = browser.pages()[0] ?? (await browser.newPage());
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.goto(address, { waitUntil: "domcontentloaded", timeout: STARTING_MS });
  await page.waitForSelector(".monaco-editor .view-line", { timeout: STARTING_MS });
  return { browser, page, faults };
}

/** Runs in the page: the grey text of the editor, as one string with line ends. */
function ghostText() {
  const plain = (node) => node.textContent.replaceAll("\u00a0", " ");
  const first = document.querySelectorAll(".view-lines [class*='ghost-text-decoration']");
  const rest = document.querySelectorAll(".ghost-text-view-zone .suggest-preview-text, [class*='ghost-text'].view-line, .suggest-preview-text .view-line");
  return [[...first].map(plain).join(""), ...[...rest].map(plain)].join("\n").trimEnd();
}

/** Runs in the page: the grey text and what stands left of it on its line, at one moment. */
function ghostLine() {
  const plain = (text) => text.replaceAll("\u00a0", " ");
  const parts = [...document.querySelectorAll(".view-lines [class*='ghost-text-decoration']")];
  if (parts.length === 0) {
    return { left: "", ghost: "" };
  }
  const line = parts[0].closest(".view-line").textContent;
  const ghost = parts.map((part) => part.textContent).join("");
  return { left: plain(line.slice(0, line.lastIndexOf(ghost))), ghost: plain(ghost) };
}

/** Runs in the page: from now on notes when the last key came, and when which grey text did. */
function watchGhost() {
  const parts = () => [...document.querySelectorAll(".view-lines [class*='ghost-text-decoration']")];
  const watch = { key: 0, ghost: 0, text: "" };
  window.ghostWatch = watch;
  window.addEventListener("keydown", () => { watch.key = performance.now(); }, true);
  const look = () => {
    const text = parts().map((part) => part.textContent.replaceAll("\u00a0", " ")).join("");
    if (text !== watch.text) {
      Object.assign(watch, { text, ghost: performance.now() });
    }
  };
  const options = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(look).observe(document.querySelector(".monaco-editor"), options);
}

const ACTS = {
  press: ({ page }, { keys }) => page.keyboard.press(keys),
  type: ({ page }, { text, pause_ms }) => page.keyboard.type(text, { delay: pause_ms }),
  click: ({ page }, { selector }) => page.click(selector),
  hover: ({ page }, { selector }) => page.hover(selector),
  text: ({ page }, { selector }) =>
    page.evaluate((which) => [...document.querySelectorAll(which)].map((node) => node.textContent.replaceAll("\u00a0", " ")), selector),
  values: ({ page }, { selector }) =>
    page.evaluate((which) => [...document.querySelectorAll(which)].map((node) => node.value), selector),
  /** What elements of any frame say: pages of an extension stand in frames of their own. */
  framed: async ({ page }, { selector }) => {
    const look = (which) => [...document.querySelectorAll(which)].map((node) => node.textContent.replaceAll("\u00a0", " "));
    const found = await Promise.all(page.frames().map((frame) => frame.evaluate(look, selector).catch(() => [])));
    return found.flat();
  },
  ghost: ({ page }) => page.evaluate(ghostText),
  line: ({ page }) => page.evaluate(ghostLine),
  watch: ({ page }) => page.evaluate(watchGhost),
  times: ({ page }) => page.evaluate(() => window.ghostWatch),
  /** Errors of the page, and those that the extension host reports to it. */
  faults: ({ faults }) => faults,
  picture: async ({ page }, { path, clip }) => {
    await page.screenshot({ path, ...(clip && { clip }) });
  },
};

async function main() {
  const opened = await openWindow(process.argv.slice(2));
  const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
  say({ id: 0, value: null });
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, act, params } = JSON.parse(line);
    try {
      say({ id, value: (await ACTS[act](opened, params)) ?? null });
    } catch (error) {
      say({ id, error: String(error) });
    }
  }
  await opened.browser.close();
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
