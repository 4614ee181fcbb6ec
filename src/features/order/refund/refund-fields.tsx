import { type Ref, useState, useEffect } from "react";
import { memoContext } from "../../../shared/format/memo.ts";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import type { Instrument } from "#contract/instrument.ts";
import { AddressGroups, AroundForeignText, TextField } from "../../../shared/ui/index.ts";
import type { CustomerRequest } from "../requests/use-customer-request.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { playHaptic } from "../../../shared/browser/haptics.ts";
import { type AddressCheck, isAddressBlocker, type RefundBlocker, refundBlockers } from "../model/refund-form.ts";
import type { RefundRecipient } from "../requests/customer-requests.ts";
import type { LiveRefundInfo } from "../api.ts";
import { call } from "../../../shared/http/http.ts";
import "./refund.css";

type RefundFieldsProps = {
  readonly order: Order;
  readonly form: RefundForm;
  readonly request: CustomerRequest;
  readonly field: Ref<HTMLInputElement>;
};

/** Where a refund goes: shown where it was set at creation, else asked for and checked as it is typed. */
export function RefundFields({ order, form, request, field }: RefundFieldsProps) {
  const { t } = useTranslation("order");
  const { instrumentFrom } = order.pair;
  const ticker = instrumentFrom.currencyTitle;
  const error = useAddressError(form, request, ticker);
  const label = t("summary.refund", { network: instrumentFrom.networkFriendlyTitle });
  if (order.refundAddress !== null) {
    return (
      <div>
        <p className="w-order-summary__label">{label}</p>
        <AddressGroups address={order.refundAddress} />
        {order.refundAddressMemo === null ? null : (
          <p className="w-order-summary__label">
            <AroundForeignText
              sentence={t("get.memo", { memo: "\n", context: memoContext(order.pair.instrumentFrom.networkTitle) })}
              text={order.refundAddressMemo}
            />
          </p>
        )}
        <p className="w-order-refund__hint">{t("refund.addressSet")}</p>
      </div>
    );
  }
  return (
    <div className="w-order-refund__fields">
      <TextField
        ref={field}
        id="refund-address"
        name="refundAddress"
        mono
        required
        maxLength={512}
        label={label}
        hint={t("refund.addressHint", { ticker })}
        value={form.address}
        onValue={(typed) => {
          request.forget();
          form.typeAddress(typed);
        }}
        onBlur={() => form.typeAddress(form.address.trim())}
        error={error}
        valid={form.check === "valid" ? t("refund.addressValid", { ticker }) : null}
        busy={form.check === "checking" ? t("refund.addressChecking") : null}
      />
      {instrumentFrom.requiresMemo ? (
        <TextField
          id="refund-memo"
          name="refundAddressMemo"
          mono
          maxLength={128}
          label={t("refund.memo", { context: memoContext(instrumentFrom.networkTitle) })}
          value={form.memo}
          onValue={form.typeMemo}
        />
      ) : null}
    </div>
  );
}

function useAddressError({ addressError }: RefundForm, { failure }: CustomerRequest, ticker: string): string | null {
  const { t } = useTranslation("order");
  const refused = failure?.kind === "address" ? failure.reason : null;
  if (addressError?.kind === "address-empty") return t("refund.addressEmpty");
  if (addressError?.kind === "address-same" || refused === "same") return t("refund.addressSame");
  if (addressError?.kind === "address-incorrect" || refused === "incorrect")
    return t("refund.addressIncorrect", { ticker });
  return null;
}

export type RefundForm = {
  recipient: RefundRecipient;
  address: string;
  memo: string;
  check: AddressCheck;
  blockers: RefundBlocker[];
  /** The blocker of the address field that may be told by now. */
  addressError: RefundBlocker | null;
  typeAddress: (address: string) => void;
  typeMemo: (memo: string) => void;
  /** True when nothing stops the refund; else everything that is missing is told from now on. */
  submit: () => boolean;
};

/** Where the deposit goes back to: the address set at creation, else what is typed here. */
export function useRefundForm(order: Order, info: LiveRefundInfo["info"]): RefundForm {
  const isOnline = useOnline();
  const [typed, setTyped] = useState({ address: "", memo: "" });
  const [wasSubmitted, setSubmitted] = useState(false);
  const { refundAddress, refundAddressMemo, destinationAddress } = order;
  const check = useAddressCheck(order.pair.instrumentFrom, refundAddress === null ? typed.address : "");
  const blockers = refundBlockers({
    isOnline,
    info,
    fixedAddress: refundAddress,
    destinationAddress,
    address: typed.address,
    check,
  });
  const blocker = blockers.find(isAddressBlocker) ?? null;
  const memo = typed.memo.trim();
  return {
    recipient:
      refundAddress === null
        ? { address: typed.address, memo: memo === "" ? null : memo }
        : { address: refundAddress, memo: refundAddressMemo },
    ...typed,
    check,
    blockers,
    // What is wrong says so at once; what is only missing waits for the button.
    addressError: blocker?.kind === "address-empty" && !wasSubmitted ? null : blocker,
    typeAddress: (address) => setTyped((before) => ({ ...before, address })),
    typeMemo: (value) => setTyped((before) => ({ ...before, memo: value })),
    submit: () => {
      setSubmitted(true);
      if (blockers.length > 0) playHaptic("failed");
      return blockers.length === 0;
    },
  };
}

const TYPING_MS = 400;

/**
 * Has the service check an address as it is typed. A check that can't be made leaves it unchecked: the service checks again when
 * the refund is asked for.
 */
function useAddressCheck(instrument: Instrument, typed: string): AddressCheck {
  const { currencyTitle, networkTitle } = instrument;
  const address = typed.trim();
  const [checked, setChecked] = useState<{ address: string; check: AddressCheck }>({ address: "", check: "unchecked" });
  useEffect(() => {
    if (address === "") return undefined;
    const abort = new AbortController();
    const check = async () => {
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
    const timer = setTimeout(() => void check(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [currencyTitle, networkTitle, address]);
  return checked.address === address && address !== "" ? checked.check : "unchecked";
}
