import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { AppRoot } from "../../../shared/ui/index.ts";
import { vi } from "vitest";
import { I18nextProvider } from "react-i18next";
import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { DAI, ETH, sampleRate, USDT } from "./samples.ts";
import { ExchangeProvider } from "../store/provider.tsx";
import type { Catalogue, Opening } from "../store/state.ts";

const slugs = [ETH.slug, USDT.slug, DAI.slug];

export const catalogue: Catalogue = {
  instruments: [ETH, USDT, DAI],
  pairs: slugs.map((from) => ({ from, to: slugs.filter((slug) => slug !== from) })),
};

export const openingAt = (over: Partial<Opening> = {}): Opening => ({
  from: "eth",
  to: "usdt-erc20",
  amount: "0.5",
  side: "from",
  rateMode: "FLOATING",
  ref: null,
  firstRate: sampleRate(),
  firstFailure: null,
  isFixedRefused: false,
  ...over,
});

/** A socket that never opens, so that only what a test answers is known. */
class SilentSocket extends EventTarget {
  static readonly OPEN = 1;
  readonly readyState = 0;
  close(): void {}
}

export type Sent = { url: string; body: unknown; headers: Headers };

/** Puts a server in the place of the network: `answer` gives status and body of each call that is made. */
export function fakeNetwork(answer: (sent: Sent) => Promise<{ status: number; body: unknown }>): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("WebSocket", SilentSocket);
  vi.stubGlobal("fetch", async (request: Request) => {
    const text = await request.clone().text();
    const one = {
      url: new URL(request.url).pathname,
      body: text === "" ? null : (JSON.parse(text) as unknown),
      headers: request.headers,
    };
    sent.push(one);
    const { status, body } = await answer(one);
    return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
  });
  return sent;
}

/** Renders parts of the exchange in English, with a store of their own. */
export async function render(ui: ReactNode, opening = openingAt(), offered = catalogue) {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const i18n = createI18n("en", allMessages("en"));
  const host = document.createElement("div");
  document.body.append(host);
  const root = createRoot(host);
  await act(async () =>
    root.render(
      <I18nextProvider i18n={i18n}>
        <ExchangeProvider catalogue={offered} opening={opening}>
          <AppRoot>{ui}</AppRoot>
        </ExchangeProvider>
      </I18nextProvider>,
    ),
  );
  return {
    find: <Found extends HTMLElement = HTMLElement>(selector: string): Found => {
      const found = host.querySelector<Found>(selector);
      if (found === null) throw new Error(`nothing matches ${selector}`);
      return found;
    },
    all: (selector: string): HTMLElement[] => [...host.querySelectorAll<HTMLElement>(selector)],
    button: (name: string): HTMLElement => {
      const found = [...host.querySelectorAll<HTMLElement>("button, a")].find((one) => one.textContent?.includes(name));
      if (found === undefined) throw new Error(`no button says ${name}`);
      return found;
    },
    leave: async () => {
      await act(async () => root.unmount());
      host.remove();
    },
  };
}

/** Types as a person does: the field is focused, gets its text and tells it. */
export const type = (field: HTMLElement, text: string): Promise<void> => typeAt(field, text, text.length);

/** The same, with the caret left somewhere in the text. */
export async function typeAt(field: HTMLElement, text: string, caret: number): Promise<void> {
  const input = field as HTMLInputElement;
  await act(async () => {
    input.focus();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
    input.setSelectionRange(caret, caret);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

/** Copies or pastes with the whole field selected; gives what the clipboard then holds. */
export async function clip(field: HTMLElement, kind: "copy" | "paste", text = ""): Promise<string> {
  const input = field as HTMLInputElement;
  const clipboardData = new DataTransfer();
  if (kind === "paste") clipboardData.setData("text", text);
  await act(async () => {
    input.focus();
    input.setSelectionRange(0, input.value.length);
    const event = new Event(kind, { bubbles: true, cancelable: true });
    input.dispatchEvent(Object.assign(event, { clipboardData }));
  });
  return clipboardData.getData(kind === "copy" ? "text/plain" : "text");
}

/** Gives lists a height to fill and rows one to take, which happy-dom does not lay out. */
export function layOut(listPx = 600, rowPx = 60): void {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(listPx);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(rowPx);
}

export const press = (field: HTMLElement, key: string): Promise<void> =>
  act(async () => void field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));

export const click = (element: HTMLElement): Promise<void> => act(async () => element.click());

/** Waits until something holds, while React works by itself. */
export async function until(holds: () => void): Promise<void> {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  await vi.waitFor(holds, { timeout: 15_000, interval: 10 });
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
}
