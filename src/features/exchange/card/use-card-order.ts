import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useI18n } from "../../../shared/i18n/index.ts";
import { notify } from "../../../shared/page/notifications.ts";
import { isCreationInterrupted } from "../creation/interrupted.ts";
import { exchangePath } from "../model/calculator-url.ts";
import { settingsOf } from "../store/selectors.ts";
import type { ExchangeStore } from "../store/provider.tsx";
import type { CardRunner } from "./card-runner.ts";
import { savedFlow } from "./saved-flow.ts";

export type CardOrder = {
  /** The form is complete: goes on with sign-in, check and order, as far as each is needed (spec §4, fiat flow). */
  readonly submit: () => Promise<void>;
  /** The service has asked for the check. */
  readonly verify: () => Promise<void>;
  /** The window of the check was closed. */
  readonly close: () => void;
};

/** Makes the form's order by card, and goes on after a reload with what was begun. */
export function useCardOrder(store: ExchangeStore): CardOrder {
  const i18n = useI18n();
  const [, navigate] = useLocation();
  const runner = useRef<Promise<CardRunner>>(null);

  const start = async (): Promise<CardRunner> => {
    const { startCardRunner } = await import("./start-card-runner.ts");
    return startCardRunner(store, i18n, navigate);
  };
  const withRunner = async (act: (running: CardRunner) => void | Promise<void>): Promise<void> => {
    try {
      await act(await (runner.current ??= start()));
    } catch (error) {
      runner.current = null;
      store.state.creation = { status: "idle" };
      console.error("the order by card could not go on", error);
      notify({ type: "error", message: i18n.t("part.failed") });
    }
  };

  useEffect(() => {
    const saved = isCreationInterrupted() ? null : savedFlow(exchangePath(settingsOf(store.state), "destination"));
    if (saved !== null) void withRunner(({ resume }) => resume(saved));
    return () => {
      void runner.current?.then(({ stop }) => stop());
      runner.current = null;
      store.card.flow = { step: "idle" };
    };
    // Only as the step opens: what begins here is not cut off.
    // eslint-disable-next-line react/exhaustive-deps
  }, [store]);

  return {
    submit: () => withRunner(({ submit }) => submit(false)),
    verify: () => withRunner(({ submit }) => submit(true)),
    close: () => void withRunner(({ close }) => close()),
  };
}
