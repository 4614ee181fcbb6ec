import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { I18nextProvider } from "react-i18next";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { localStore } from "../../../shared/browser/storage.ts";
import { InstallCard } from "./install-card.tsx";

const i18n = createI18n("en", allMessages("en"));
const card = (
  <I18nextProvider i18n={i18n}>
    <InstallCard />
  </I18nextProvider>
);

let view: View;
beforeEach(() => {
  document.documentElement.dataset["shell"] = "web";
});
afterEach(async () => {
  await view.unmount();
  globalThis.installOffer = undefined;
  localStore.remove("wherry-install-dismissed");
  dispatchEvent(new StorageEvent("storage", { key: "wherry-install-dismissed" }));
  vi.unstubAllGlobals();
});

const button = (label: string): HTMLElement | undefined =>
  [...view.container.querySelectorAll("button")].find(({ textContent }) => textContent === label);

function offer(outcome: "accepted" | "dismissed") {
  const prompt = vi.fn(async () => undefined);
  const event = new Event("beforeinstallprompt");
  globalThis.installOffer = Object.assign(event, { prompt, userChoice: Promise.resolve({ outcome }) });
  dispatchEvent(event);
  return prompt;
}

describe("after a completed order the app", () => {
  it("is offered once the browser does, with the browser's own dialog", async () => {
    view = await render(card);
    expect(view.container.textContent).toBe("");
    let prompt = vi.fn(async () => undefined);
    await settled(() => void (prompt = offer("accepted")));
    await settled(() => button("Install")?.click());
    expect(prompt).toHaveBeenCalledTimes(1);
    expect(view.container.textContent).toBe("");
  });

  it.each([
    ["the card", "Not now"],
    ["the browser's dialog", "Install"],
  ])("is never offered again to who has refused %s", async (_what, label) => {
    offer("dismissed");
    view = await render(card);
    await settled(() => button(label)?.click());
    expect(view.container.textContent).toBe("");
    await view.unmount();
    offer("dismissed");
    view = await render(card);
    expect(view.container.textContent).toBe("");
  });

  it("is explained on iOS, until that was read", async () => {
    vi.stubGlobal("navigator", { userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1)", maxTouchPoints: 5 });
    view = await render(card);
    expect(view.container.textContent).toContain("Tap Share in the browser");
    expect(button("Install")).toBeUndefined();
    await settled(() => button("Got it")?.click());
    expect(view.container.textContent).toBe("");
  });

  it.each(["telegram", "pwa"])("is not offered in the %s", async (shell) => {
    document.documentElement.dataset["shell"] = shell;
    offer("accepted");
    view = await render(card);
    expect(view.container.textContent).toBe("");
  });
});
