import { useEffect, useState } from "react";
import type { Instrument } from "#contract/instrument.ts";
import { call } from "../../shared/http/http.ts";
import type { AddressCheck } from "./model/refund-form.ts";

const TYPING_MS = 400;

/**
 * Has the service check an address as it is typed. A check that can't be made leaves it unchecked: the service checks again when
 * the refund is asked for.
 */
export function useAddressCheck(instrument: Instrument, typed: string): AddressCheck {
  const { currencyTitle, networkTitle } = instrument;
  const address = typed.trim();
  const [checked, setChecked] = useState<{ address: string; check: AddressCheck }>({ address: "", check: "unchecked" });
  useEffect(() => {
    if (address === "") return undefined;
    const abort = new AbortController();
    const look = async () => {
      setChecked({ address, check: "checking" });
      try {
        const body = { currencyTitle, networkTitle, address, getRejectReason: true };
        const { result, code } = await call("validateAddress", { body, signal: abort.signal });
        if (!abort.signal.aborted) setChecked({ address, check: result ? "valid" : { rejectedAs: code } });
      } catch (error) {
        if (abort.signal.aborted) return;
        console.warn("the address could not be checked", error);
        setChecked({ address, check: "unchecked" });
      }
    };
    const timer = setTimeout(() => void look(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [currencyTitle, networkTitle, address]);
  return checked.address === address && address !== "" ? checked.check : "unchecked";
}
