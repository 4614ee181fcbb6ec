import { beforeEach, expect, test, vi } from "vitest";

const root = document.documentElement;
let systemChanges: (isDark: boolean) => void;

/** The module anew, under a system that is light at first. */
async function open() {
  vi.resetModules();
  let isDark = false;
  const listeners: (() => void)[] = [];
  vi.stubGlobal("matchMedia", () => ({
    get matches() {
      return isDark;
    },
    addEventListener: (_: string, listener: () => void) => listeners.push(listener),
  }));
  systemChanges = (dark) => {
    isDark = dark;
    for (const listener of listeners) listener();
  };
  const theme = await import("./theme.ts");
  theme.followTheme();
  return theme;
}

beforeEach(() => localStorage.clear());

test("the system's theme is followed until the reader chooses one", async () => {
  const { setTheme } = await open();
  expect(root.dataset["theme"]).toBe("light");
  systemChanges(true);
  expect(root.dataset["theme"]).toBe("dark");
  setTheme("light");
  systemChanges(true);
  expect(root.dataset["theme"]).toBe("light");
});

test("Telegram's theme goes before both", async () => {
  const { setAppearanceOverride, setTheme } = await open();
  setAppearanceOverride("dark");
  expect(root.dataset["theme"]).toBe("dark");
  systemChanges(false);
  setTheme("light");
  expect(root.dataset["theme"]).toBe("dark");
  setAppearanceOverride("light");
  expect(root.dataset["theme"]).toBe("light");
});
