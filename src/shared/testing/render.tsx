import { allMessages } from "../i18n/all-messages.ts";
import { act, type ReactElement } from "react";
import { createRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { AppRoot } from "../ui/index.ts";
import { createI18n } from "../i18n/create-i18n.ts";

/** Lets React work inside a test. */
export async function settled(work: () => unknown = () => undefined): Promise<void> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  await act(async () => {
    await work();
  });
}

const STEP_MS = 5;

/** Waits for a state with React's work inside of `act`: what is answered between two looks is too. Throws after 10 seconds. */
export async function until(isThere: () => boolean, timeoutMs = 10_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  await settled();
  while (!isThere()) {
    if (performance.now() > end) throw new Error(`it is not there: ${document.body.textContent}`);
    await settled(() => new Promise((resolve) => setTimeout(resolve, STEP_MS)));
  }
}

export type View = {
  readonly container: HTMLElement;
  /** The one element that the selector finds; throws when there is none. */
  readonly get: <E extends HTMLElement = HTMLElement>(selector: string) => E;
  readonly rerender: (element: ReactElement) => Promise<void>;
  readonly unmount: () => Promise<void>;
};

/** Renders into the document, with English words around. */
export async function render(element: ReactElement): Promise<View> {
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  const i18n = createI18n("en", allMessages("en"));
  const rerender = (next: ReactElement) =>
    settled(() =>
      root.render(
        <I18nextProvider i18n={i18n}>
          <AppRoot>{next}</AppRoot>
        </I18nextProvider>,
      ),
    );
  await rerender(element);
  return {
    container,
    rerender,
    get: <E extends HTMLElement>(selector: string) => {
      const found = container.querySelector<E>(selector);
      if (found === null) throw new Error(`nothing matches ${selector} in ${container.innerHTML}`);
      return found;
    },
    unmount: async () => {
      await settled(() => root.unmount());
      container.remove();
    },
  };
}
