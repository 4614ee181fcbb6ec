import { useEffect, useState } from "react";
import type { Instrument } from "#contract/instrument.ts";
import type { AddressCheck } from "../../../address/address-check.ts";
import { abortOnCleanup } from "../../../shared/page/abort-on-cleanup.ts";
import { useIsSandbox } from "../../../shared/page/page-context.ts";
import { checkAddress } from "../api.ts";
import { isTestAddress } from "../model/withdrawal.ts";

const TYPING_MS = 400;

/** What the service says of the address that is typed. A check that can't be made stops nothing: it is made again with the withdrawal. */
export function useAddressCheck(instrument: Instrument, typed: string): AddressCheck {
  const isSandbox = useIsSandbox();
  const address = typed.trim();
  const [last, setLast] = useState<{ readonly address: string; readonly check: AddressCheck } | null>(null);
  const isTest = isSandbox && isTestAddress(address, instrument);
  useEffect(() => {
    if (address === "" || isTest) return undefined;
    return abortOnCleanup(async (signal) => {
      await pause(TYPING_MS);
      if (signal.aborted) return;
      setLast({ address, check: "checking" });
      const check = await ask(instrument, address, signal);
      if (!signal.aborted) setLast({ address, check });
    });
  }, [instrument, address, isTest]);
  if (isTest) return "valid";
  return last?.address === address ? last.check : "unchecked";
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function ask(instrument: Instrument, address: string, signal: AbortSignal): Promise<AddressCheck> {
  try {
    const { result, code } = await checkAddress(instrument, address, signal);
    return result ? "valid" : { rejectedAs: code };
  } catch (error) {
    if (!signal.aborted) console.warn("the address could not be checked", error);
    return "failed";
  }
}
