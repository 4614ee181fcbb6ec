import {
  type CardFlow,
  type FlowAccount,
  type FlowEffect,
  type FlowError,
  type FlowEvent,
  isVerification,
  nextStep,
  type ProviderCall,
} from "../model/card-flow.ts";
import type { ExchangeStore } from "../store/provider.tsx";
import { createProviderCalls } from "./api.ts";
import { isOnline } from "../../../shared/browser/connectivity.ts";

/** What became of the order that was asked for. */
export type CardCreation = Extract<FlowEvent, { kind: "created" | "kyc-needed" | "email-unconfirmed" | "not-created" }>;

type Begin = { readonly account: FlowAccount | null; readonly needsCheck: boolean };

export type CardActions = {
  /** Who is signed in, and whether the order's sum is checked by the provider. */
  readonly begin: () => Promise<Begin>;
  readonly askSignIn: () => Promise<boolean>;
  readonly create: () => Promise<CardCreation>;
  readonly openPayment: () => void;
  readonly notify: (error: FlowError) => void;
  readonly save: (flow: CardFlow) => void;
};

export type CardRunner = {
  /** `mustCheck`: the service has asked for the check, whatever the sum. */
  readonly submit: (mustCheck: boolean) => Promise<void>;
  /** Goes on with what a reload cut off. */
  readonly resume: (saved: CardFlow) => Promise<void>;
  readonly close: () => void;
  /** The page is left: nothing is asked any more, and what is saved stays for its return. */
  readonly stop: () => void;
};

/** Runs the flow of `card-flow.ts`: carries out what each step says, and feeds it the answers. */
export function createCardRunner(card: ExchangeStore["card"], actions: CardActions): CardRunner {
  let isStopped = false;
  let asking: AbortController | null = null;
  const provider = createProviderCalls((url) => {
    card.verificationUrl = url;
  });

  function dispatch(event: FlowEvent): void {
    if (isStopped) return;
    const { flow, effects } = nextStep(card.flow, event);
    if (flow !== card.flow) {
      card.flow = flow;
      actions.save(flow);
    }
    card.isUnreachable = event.kind === "unreachable";
    if (!isVerification(flow)) {
      asking?.abort();
      card.verificationUrl = null;
    }
    for (const effect of effects) carryOut(effect);
  }

  function carryOut(effect: FlowEffect): void {
    switch (effect.kind) {
      case "ask-sign-in":
        return void signIn();
      case "create":
        return void create();
      case "open-payment":
        return actions.openPayment();
      case "notify":
        return actions.notify(effect.error);
      default:
        return ask(effect.kind, effect.afterMs);
    }
  }

  async function signIn(): Promise<void> {
    if (await actions.askSignIn()) dispatch({ kind: "signed-in", ...(await actions.begin()) });
    else dispatch({ kind: "sign-in-left" });
  }

  const create = async (): Promise<void> => dispatch(await actions.create());

  function ask(name: ProviderCall, afterMs: number): void {
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    const answer = async () => {
      try {
        dispatch(await provider(name, signal));
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    };
    const callOff = afterWatched(afterMs, () => void answer());
    signal.addEventListener("abort", callOff);
  }

  return {
    submit: async (mustCheck) => {
      const { account, needsCheck } = await actions.begin();
      dispatch({ kind: "submitted", account, needsCheck: needsCheck || mustCheck });
    },
    resume: async (saved) => dispatch({ kind: "resumed", saved, account: (await actions.begin()).account }),
    close: () => dispatch({ kind: "closed" }),
    stop: () => {
      isStopped = true;
      asking?.abort();
    },
  };
}

const isWatched = (): boolean => document.visibilityState === "visible" && isOnline();

/** Calls once the time is over and somebody sees the page, which has a network; returns a function that cancels it. */
function afterWatched(ms: number, done: () => void): () => void {
  const off = new AbortController();
  const settle = () => {
    if (!isWatched()) return;
    off.abort();
    done();
  };
  const timer = setTimeout(() => {
    for (const [target, name] of [
      [document, "visibilitychange"],
      [globalThis, "online"],
    ] as const)
      target.addEventListener(name, settle, { signal: off.signal });
    settle();
  }, ms);
  off.signal.addEventListener("abort", () => clearTimeout(timer));
  return () => off.abort();
}
