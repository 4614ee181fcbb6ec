import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { Suspense } from "react";
import { I18nextProvider, useTranslation } from "react-i18next";
import { afterEach, describe, expect, it, vi } from "vitest";
import { allMessages } from "../i18n/all-messages.ts";
import { createI18n } from "../i18n/create-i18n.ts";
import { settled } from "../testing/render.tsx";
import { AppRoot } from "../ui/index.ts";
import { lazyWithPreload } from "./lazy-with-preload.tsx";
import { HydrationProvider, useHydrated } from "./use-hydrated.ts";

function Part() {
  const { t } = useTranslation("home");
  return <button type="button">{t("latest.title")}</button>;
}

let root: Root | null = null;
const container = document.createElement("div");
afterEach(async () => {
  await settled(() => root?.unmount());
  container.remove();
  vi.restoreAllMocks();
});

function page(load: () => Promise<typeof Part>, locale: "en" | "ru" = "en") {
  const part = lazyWithPreload("part.tsx", load, ["home"]);
  const i18n = createI18n(locale, allMessages(locale));
  const element = (turn: number) => (
    <I18nextProvider i18n={i18n}>
      <p hidden>{turn}</p>
      <Suspense>
        <part.Component />
      </Suspense>
    </I18nextProvider>
  );
  return { part, i18n, element };
}

/** Hydrates, in a page that is hydrated already, what the server rendered, with code that comes when the test says so. */
async function hydrate(Component: typeof Part = Part) {
  const onServer = page(async () => Component);
  await onServer.part.preload(onServer.i18n);
  document.body.append(container);
  container.innerHTML = renderToString(<HydrationProvider>{onServer.element(0)}</HydrationProvider>);
  const code = Promise.withResolvers<typeof Part>();
  const errors: unknown[] = [];
  const { element } = page(() => code.promise);
  await settled(() => {
    root = hydrateRoot(container, element(0), {
      onRecoverableError: (error) => errors.push(error),
    });
  });
  const text = () => [...container.querySelectorAll("button")].map(({ textContent }) => textContent);
  const isHydrated = () =>
    Object.keys(container.querySelector("button") ?? {}).some((key) => key.startsWith("__reactProps"));
  return { code, errors, text, isHydrated };
}

describe("a lazy component", () => {
  it("is hydrated as the server rendered it, however long the page has been hydrated by then", async () => {
    const Device = () => (useHydrated() ? <a href="#device">device</a> : <button type="button">server</button>);
    const { code, errors } = await hydrate(Device);
    await settled(() => code.resolve(Device));
    expect(errors).toEqual([]);
    expect(container.textContent).toContain("device");
  });

  it("is rendered by the server once it is preloaded, in each request's language", async () => {
    for (const [locale, title] of [
      ["en", "Latest exchanges"],
      ["ru", "Последние обмены"],
    ] as const) {
      const { part, i18n, element } = page(async () => Part, locale);
      await part.preload(i18n);
      expect(renderToString(element(0))).toContain(title);
    }
  });

  it("stays as the server rendered it until its code comes, and is hydrated then", async () => {
    const { code, errors, isHydrated, text } = await hydrate();
    expect([text(), isHydrated()]).toEqual([["Latest exchanges"], false]);
    await settled(() => code.resolve(Part));
    await settled(() => vi.waitFor(() => expect(isHydrated()).toBe(true)));
    expect(text()).toEqual(["Latest exchanges"]);
    expect(errors).toEqual([]);
  });

  it.each([
    ["en", "This part didn’t load", "Try again"],
    ["ru", "Часть страницы не загрузилась", "Повторить"],
  ] as const)(
    "whose code doesn't come says so in %s, leaves the page as it is, and comes when tried again",
    async (locale, text, label) => {
      vi.spyOn(console, "error").mockReturnValue();
      const load = vi
        .fn<() => Promise<typeof Part>>()
        .mockRejectedValueOnce(new TypeError("Failed to fetch dynamically imported module"))
        .mockRejectedValueOnce(new TypeError("Failed to fetch dynamically imported module"))
        .mockResolvedValue(Part);
      const { element } = page(load, locale);
      document.body.append(container);
      container.innerHTML = "";
      await settled(() => {
        root = createRoot(container);
        root.render(<AppRoot>{element(7)}</AppRoot>);
      });
      const alert = () => container.querySelector('[role="alert"]')?.textContent;
      const press = () => settled(() => container.querySelector<HTMLElement>('[role="alert"] button')?.click());
      expect(alert()).toContain(text);
      expect(container.querySelector("p")?.textContent).toBe("7");
      await press();
      expect(alert()).toContain(label);
      await press();
      expect(alert()).toBeUndefined();
      expect(container.querySelector("button")?.textContent).toBe(allMessages(locale).home.latest.title);
      expect(load).toHaveBeenCalledTimes(3);
    },
  );

  it("tries again after a failure", async () => {
    vi.spyOn(console, "debug").mockReturnValue(undefined);
    const load = vi
      .fn<() => Promise<typeof Part>>()
      .mockRejectedValueOnce(new TypeError("gone"))
      .mockResolvedValue(Part);
    const { part, i18n } = page(load);
    await expect(part.preload(i18n)).rejects.toThrow("gone");
    await part.preload(i18n);
    await part.preload(i18n);
    expect(load).toHaveBeenCalledTimes(2);
  });
});
