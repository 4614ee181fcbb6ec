import { useState } from "react";
import type { Instrument } from "#contract/instrument.ts";
import { AddressField as Field } from "../../../address/address-field.tsx";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";
import { setAddress } from "../store/addresses.ts";
import type { AddressName } from "../store/state.ts";
import { LinkedAmount } from "./linked-amount.tsx";

type AddressFieldProps = {
  readonly name: AddressName;
  readonly label: string;
  readonly placeholder?: string;
  /** The coin that the address is of. */
  readonly instrument: Instrument;
  readonly error: string | null;
};

/** One of the order's addresses; a payment link fills its memo too, and its amount is offered. */
export function AddressField({ name, instrument, ...texts }: AddressFieldProps) {
  const { state } = useExchangeStore();
  const { address, check, isMemoRemoved } = useExchangeState()[name];
  const [linkedAmount, setLinkedAmount] = useState<string | null>(null);
  return (
    <>
      <Field
        id={`${name}-address`}
        {...texts}
        instrument={instrument}
        value={address}
        check={check}
        isOneOfSeveral={name === "refund"}
        isMemoRemoved={isMemoRemoved && instrument.requiresMemo}
        onValue={(typed, taken) => {
          setAddress(state, name, typed, taken);
          // The amount in a payment link is what its recipient gets; a refund is as large as the deposit.
          setLinkedAmount(name === "destination" ? (taken?.amount ?? null) : null);
        }}
      />
      {linkedAmount === null ? null : <LinkedAmount amount={linkedAmount} ticker={instrument.currencyTitle} />}
    </>
  );
}
