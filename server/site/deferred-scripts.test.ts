import { constants, createContext, Script } from "node:vm";
import { expect, test, vi } from "vitest";
import { deferScripts } from "./deferred-scripts.ts";

const BUILT = `<script type="module" crossorigin src="/assets/main.js"></script>`;

/** Nothing is painted yet. */
class PerformanceObserver {
  static supportedEntryTypes = ["paint"];
  observe(): void {}
}

/** Runs the loader as a browser does: while the document is parsed. What it imports isn't there, which it reports. */
function openPage() {
  const window = new EventTarget();
  const document = Object.assign(new EventTarget(), {
    visibilityState: "visible",
    readyState: "loading",
    querySelectorAll: () => [],
  });
  const error = vi.fn<() => void>();
  const context = createContext({
    document,
    window: { PerformanceObserver },
    PerformanceObserver,
    Event,
    console: { error },
    setTimeout: () => 0,
    addEventListener: window.addEventListener.bind(window),
    dispatchEvent: window.dispatchEvent.bind(window),
  });
  const loader = /<script>(.*?)<\/script>/s.exec(deferScripts(BUILT))?.[1] ?? "";
  new Script(loader, { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER }).runInContext(context);
  return { window, document, hasStarted: () => error.mock.calls.length > 0 };
}

test("the app starts at a touch once its page has been parsed", async () => {
  const { window, document, hasStarted } = openPage();
  document.readyState = "interactive";
  document.dispatchEvent(new Event("DOMContentLoaded"));
  window.dispatchEvent(new Event("pointerdown"));
  await vi.waitUntil(hasStarted);
});

test("the app does not start in a page that was left while it was parsed, as its data may lack", async () => {
  // A frame that is given its next address: its first page is "complete", with half of its markup and no DOMContentLoaded.
  const left = openPage();
  left.document.readyState = "complete";
  left.window.dispatchEvent(new Event("pointerdown"));

  const next = openPage();
  next.window.dispatchEvent(new Event("pointerdown"));
  next.document.dispatchEvent(new Event("DOMContentLoaded"));
  await vi.waitUntil(next.hasStarted);
  expect(left.hasStarted()).toBe(false);
});
