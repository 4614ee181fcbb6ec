import { subscribe } from "valtio";
import type { AnswerOf, BodyInput } from "#contract/calls.ts";
import type { AddressCheck } from "../../../address/address-check.ts";
import { instrumentOf } from "./selectors.ts";
import type { AddressName, Catalogue, ExchangeState } from "./state.ts";

export type ValidateAddress = (
  body: BodyInput<"validateAddress">,
  signal: AbortSignal,
) => Promise<AnswerOf<"validateAddress">>;

type AddressWatcher = { settle: () => Promise<void>; stop: () => void };

const TYPING_MS = 400;
const AGAIN_MS = 5_000;

/**
 * Has the server check an address as it is typed. A check that can't be made is tried again, and stops no order: the server
 * checks again when it is created. `settle` waits for the check of what is typed now.
 */
export function watchAddress(
  catalogue: Catalogue,
  state: ExchangeState,
  name: AddressName,
  validate: ValidateAddress,
  typingMs = TYPING_MS,
): AddressWatcher {
  let checked = "";
  let timer: ReturnType<typeof setTimeout> | null = null;
  let running: { promise: Promise<void>; abort: AbortController } | null = null;

  const subject = () => {
    const { currencyTitle, networkTitle } = instrumentOf(catalogue, name === "destination" ? state.to : state.from);
    return { currencyTitle, networkTitle, address: state[name].address.trim(), getRejectReason: true };
  };

  function follow(): void {
    const next = JSON.stringify(subject());
    if (next === checked) return;
    checked = next;
    drop();
    state[name].check = "unchecked";
    if (state[name].address.trim() !== "") timer = setTimeout(start, typingMs);
  }

  function start(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const abort = new AbortController();
    state[name].check = "checking";
    running = { promise: check(abort.signal), abort };
  }

  async function check(signal: AbortSignal): Promise<void> {
    const answer = await ask(signal);
    if (signal.aborted) return;
    state[name].check = answer;
    if (answer === "failed") timer = setTimeout(start, AGAIN_MS);
  }

  async function ask(signal: AbortSignal): Promise<AddressCheck> {
    try {
      const { result, code } = await validate(subject(), signal);
      return result ? "valid" : { rejectedAs: code };
    } catch (error) {
      if (!signal.aborted) console.warn("the address could not be checked", error);
      return "failed";
    }
  }

  function drop(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    running?.abort.abort();
    running = null;
  }

  function again(): void {
    if (timer !== null) start();
  }

  const unsubscribe = subscribe(state, follow);
  globalThis.addEventListener("online", again);
  follow();
  return {
    settle: async () => {
      follow();
      if (timer !== null && state[name].check !== "failed") start();
      await running?.promise;
    },
    stop: () => {
      unsubscribe();
      globalThis.removeEventListener("online", again);
      drop();
    },
  };
}
