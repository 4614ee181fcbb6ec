import { renderToString } from "react-dom/server";
import { hydrateRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WordsContext, useT } from "../i18n/index.ts";
import { createTranslator } from "../i18n/translator.ts";
import { type LatePart, latePart } from "./late-part.tsx";
import { settled } from "../testing/render.tsx";

const Part = () => <button type="button">{useT("home")("latest.title")}</button>;
const page = (part: LatePart, locale: "en" | "ru") => {
  const words = createTranslator(locale, {});
  return { words, element: <WordsContext value={words}>{<part.Component />}</WordsContext> };
};

let container: HTMLElement;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  container = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  container.remove();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The browser's side of a page that the server has rendered. */
async function arrive(load: () => Promise<typeof Part>) {
  const onServer = latePart(["home"], async () => Part);
  const rendered = page(onServer, "en");
  await onServer.preload(rendered.words);
  container.innerHTML = renderToString(rendered.element);
  const asked = vi.fn(load);
  const errors: unknown[] = [];
  const part = latePart(["home"], asked);
  const words = createTranslator("en", {});
  // What stands around it changes now and then.
  const around = (turn: number) => (
    <WordsContext value={words}>
      <p hidden>{turn}</p>
      <part.Component />
    </WordsContext>
  );
  container.innerHTML = `<p hidden="">0</p>${container.innerHTML}`;
  const root = await settledRoot(() =>
    hydrateRoot(container, around(0), { onRecoverableError: (error) => errors.push(error) }),
  );
  const turn = (next: number) => settled(() => root.render(around(next)));
  const isTaken = () =>
    Object.keys(container.querySelector("button") ?? {}).some((key) => key.startsWith("__reactProps"));
  const text = () => [...container.querySelectorAll("button")].filter(isShown).map(({ textContent }) => textContent);
  return { asked, errors, isTaken, turn, text };
}

/** React hides what it takes back. */
const isShown = (element: HTMLElement): boolean => element.style.display !== "none";

async function settledRoot(open: () => Root): Promise<Root> {
  let root: Root | null = null;
  await settled(() => void (root = open()));
  if (root === null) throw new Error("nothing is rendered");
  return root;
}

/** Everything that was begun comes to its end. */
const untilIdle = () => settled(() => vi.waitFor(() => vi.advanceTimersByTimeAsync(0)));

describe("a late part", () => {
  it("is rendered whole by the server, each time in the words of its reader", async () => {
    const part = latePart(["home"], async () => Part);
    for (const [locale, title] of [
      ["en", "Latest exchanges"],
      ["ru", "Последние обмены"],
      ["en", "Latest exchanges"],
    ] as const) {
      const { words, element } = page(part, locale);
      await part.preload(words);
      expect(renderToString(element)).toContain(title);
    }
  });

  it("stays as the server has rendered it until it is touched, and is taken over then", async () => {
    const { asked, errors, isTaken, text } = await arrive(async () => Part);
    expect(text()).toEqual(["Latest exchanges"]);
    expect([asked.mock.calls.length, isTaken()]).toEqual([0, false]);
    await settled(() => dispatchEvent(new Event("pointermove")));
    await settled(() => vi.waitFor(() => expect(isTaken()).toBe(true)));
    expect(text()).toEqual(["Latest exchanges"]);
    expect(errors).toEqual([]);
  });

  it("is left as it is by changes around it", async () => {
    const { errors, turn, text } = await arrive(async () => Part);
    await turn(1);
    await turn(2);
    expect(text()).toEqual(["Latest exchanges"]);
    expect(errors).toEqual([]);
  });

  it("is taken over after 15 s at the latest", async () => {
    const { asked } = await arrive(async () => Part);
    await settled(() => vi.advanceTimersByTimeAsync(14_999));
    expect(asked).not.toHaveBeenCalled();
    await settled(() => vi.advanceTimersByTimeAsync(1));
    expect(asked).toHaveBeenCalledOnce();
  });

  it("goes on being read where its code can't be had", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    const { errors, text } = await arrive(() => Promise.reject(new TypeError("gone")));
    await settled(() => dispatchEvent(new Event("keydown")));
    await untilIdle();
    expect(text()).toEqual(["Latest exchanges"]);
    expect(warn).toHaveBeenCalled();
    expect(errors).toEqual([]);
  });
});
