import { type AddressCheck, useAddressCheck } from "../../../address/address-check.ts";
import type { Instrument } from "#contract/instrument.ts";
import { useIsSandbox } from "../../../shared/page/page-context.ts";
import { isTestAddress } from "../model/withdrawal.ts";

/** What the service says of the address that is typed; the sandbox's test address, which no network knows, is not asked for. */
export function useWithdrawalAddressCheck(instrument: Instrument, typed: string): AddressCheck {
  const isTest = useIsSandbox() && isTestAddress(typed.trim(), instrument);
  const check = useAddressCheck(instrument, isTest ? "" : typed);
  return isTest ? "valid" : check;
}
