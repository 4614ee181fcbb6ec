import { useEffect, useState } from "react";
import type { AnswerOf, BodyInput } from "#contract/calls.ts";
import type { Instrument } from "#contract/instrument.ts";
import { call } from "../shared/http/http.ts";

/** What the service says of an address. `failed`: the check could not be made, and is tried again. */
export type AddressCheck = "unchecked" | "checking" | "failed" | "valid" | { rejectedAs: string | null };

type Network = Pick<Instrument, "currencyTitle" | "networkTitle">;

export type ValidateAddress = (
  body: BodyInput<"validateAddress">,
  signal: AbortSignal,
) => Promise<AnswerOf<"validateAddress">>;

export type AddressWatcher = {
  /** Takes what is typed now: it is checked after a pause, unless it is what was typed before. */
  type: (network: Network, address: string) => void;
  /** Waits for the check of what is typed now, which begins at once. */
  settle: () => Promise<void>;
  stop: () => void;
};

const TYPING_MS = 400;
const AGAIN_MS = 5_000;

/** An invalid address is an answer, not an error. */
const validateAddress: ValidateAddress = (body, signal) => call("validateAddress", { body, signal });

/**
 * Has the service check an address as it is typed. A check that can't be made is tried again, and stops nothing: the service checks
 * again when the address is sent.
 */
export function createAddressWatcher(
  onCheck: (check: AddressCheck) => void,
  validate: ValidateAddress = validateAddress,
): AddressWatcher {
  let typed: BodyInput<"validateAddress"> | null = null;
  let hasFailed = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let running: { promise: Promise<void>; abort: AbortController } | null = null;

  function start(body: BodyInput<"validateAddress">): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    hasFailed = false;
    const abort = new AbortController();
    onCheck("checking");
    running = { promise: check(body, abort.signal), abort };
  }

  async function check(body: BodyInput<"validateAddress">, signal: AbortSignal): Promise<void> {
    const answer = await ask(body, signal);
    if (signal.aborted) return;
    onCheck(answer);
    hasFailed = answer === "failed";
    if (hasFailed) timer = setTimeout(() => start(body), AGAIN_MS);
  }

  async function ask(body: BodyInput<"validateAddress">, signal: AbortSignal): Promise<AddressCheck> {
    try {
      const { result, code } = await validate(body, signal);
      return result ? "valid" : { rejectedAs: code };
    } catch (error) {
      if (!signal.aborted) console.warn("the address could not be checked", error);
      return "failed";
    }
  }

  function drop(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    hasFailed = false;
    running?.abort.abort();
    running = null;
  }

  const startNow = () => {
    if (timer !== null && typed !== null) start(typed);
  };
  globalThis.addEventListener("online", startNow);
  return {
    type: ({ currencyTitle, networkTitle }, text) => {
      const body = { currencyTitle, networkTitle, address: text.trim(), getRejectReason: true };
      if (JSON.stringify(body) === JSON.stringify(typed)) return;
      typed = body;
      drop();
      onCheck("unchecked");
      if (body.address !== "") timer = setTimeout(() => start(body), TYPING_MS);
    },
    settle: async () => {
      if (!hasFailed) startNow();
      await running?.promise;
    },
    stop: () => {
      globalThis.removeEventListener("online", startNow);
      drop();
    },
  };
}

/** What the service says of the address that a form holds now. */
export function useAddressCheck({ currencyTitle, networkTitle }: Network, typed: string): AddressCheck {
  const address = typed.trim();
  const key = JSON.stringify([currencyTitle, networkTitle, address]);
  const [last, setLast] = useState<{ readonly key: string; readonly check: AddressCheck }>({ key, check: "unchecked" });
  useEffect(() => {
    if (address === "") return undefined;
    const watcher = createAddressWatcher((check) => setLast({ key, check }));
    watcher.type({ currencyTitle, networkTitle }, address);
    return watcher.stop;
  }, [currencyTitle, networkTitle, address, key]);
  return last.key === key && address !== "" ? last.check : "unchecked";
}
