import { subscribe } from "valtio";
import { type AddressWatcher, createAddressWatcher, type ValidateAddress } from "../../../address/address-check.ts";
import { instrumentOf } from "./selectors.ts";
import type { AddressName, Catalogue, ExchangeState } from "./state.ts";

/** Keeps the check of one of the state's addresses up to date. `settle` waits for the check of what is typed now. */
export function watchAddress(
  catalogue: Catalogue,
  state: ExchangeState,
  name: AddressName,
  validate?: ValidateAddress,
): Pick<AddressWatcher, "settle" | "stop"> {
  const watcher = createAddressWatcher((check) => void (state[name].check = check), validate);
  const follow = () =>
    watcher.type(instrumentOf(catalogue, name === "destination" ? state.to : state.from), state[name].address);
  const unsubscribe = subscribe(state, follow);
  follow();
  return {
    settle: () => {
      follow();
      return watcher.settle();
    },
    stop: () => {
      unsubscribe();
      watcher.stop();
    },
  };
}
