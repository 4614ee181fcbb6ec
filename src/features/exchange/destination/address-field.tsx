import { useState } from "react";
import type { Instrument } from "#contract/instrument.ts";
import { AddressField as Field } from "../../../address/address-field.tsx";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";
import { setAddress, setMemo, type AddressName } from "../store/state.ts";
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
  const { address, check } = useExchangeState()[name];
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
        onValue={(typed) => setAddress(state, name, typed)}
        onLink={({ memo, amount }) => {
          if (memo !== null) setMemo(state, name, memo);
          // The amount in a payment link is what its recipient gets; a refund is as large as the deposit.
          setLinkedAmount(name === "destination" ? amount : null);
        }}
      />
      {linkedAmount === null ? null : <LinkedAmount amount={linkedAmount} ticker={instrument.currencyTitle} />}
    </>
  );
}
