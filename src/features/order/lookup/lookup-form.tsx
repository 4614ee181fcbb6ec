import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { orderPath } from "#contract/links/order-path.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { BottomBar, Button, PrimaryAction, TextField } from "../../../shared/ui/index.ts";
import { lookupErrors, type LookupErrors, readOrderLink } from "../model/lookup-form.ts";
import "./lookup.css";

type LookupFormProps = {
  readonly orderId: string;
  readonly destinationAddress: string;
  /** The one thing to do on its page, so that its button is the pinned one. */
  readonly isMain: boolean;
};

/** Opens an order by its id and the address that it pays to; a whole link in the first field fills both. */
export function LookupForm(props: LookupFormProps) {
  const { t } = useTranslation("order");
  const locale = useLocale();
  const [orderId, setOrderId] = useState(props.orderId);
  const [address, setAddress] = useState(props.destinationAddress);
  const [errors, setErrors] = useState<LookupErrors>({ orderId: null, address: null });
  const idField = useRef<HTMLInputElement>(null);
  const addressField = useRef<HTMLInputElement>(null);

  /** A link is taken apart once it is whole: when it was pasted, left or sent, never between two letters. */
  const take = (typed: string): { orderId: string; address: string } => {
    const link = readOrderLink(typed);
    const taken = { orderId: link?.orderId ?? typed, address: link?.destinationAddress || address };
    setOrderId(taken.orderId);
    setAddress(taken.address);
    return taken;
  };
  const typeId = (typed: string) => {
    if (typed.length - orderId.length > 1) take(typed);
    else setOrderId(typed);
  };
  const find = (event: FormEvent) => {
    event.preventDefault();
    const asked = take(orderId);
    const wrong = lookupErrors(asked.orderId, asked.address);
    setErrors(wrong);
    if (wrong.orderId !== null) idField.current?.focus();
    else if (wrong.address !== null) addressField.current?.focus();
    else location.assign(orderPath(asked.orderId.trim(), asked.address.trim(), locale));
  };

  return (
    <form className="w-order-lookup-form" method="dialog" onSubmit={find} noValidate>
      <TextField
        ref={idField}
        id="order-id"
        name="orderId"
        mono
        label={t("lookup.id")}
        hint={t("lookup.idHint")}
        value={orderId}
        onValue={typeId}
        onBlur={() => take(orderId)}
        error={errors.orderId === null ? null : t(`lookup.${errors.orderId}`)}
      />
      <TextField
        ref={addressField}
        id="order-address"
        name="destinationAddress"
        mono
        label={t("lookup.address")}
        value={address}
        onValue={setAddress}
        error={errors.address === null ? null : t(`lookup.${errors.address}`)}
      />
      {props.isMain ? (
        <BottomBar>
          <FindButton isMain />
        </BottomBar>
      ) : (
        <FindButton isMain={false} />
      )}
    </form>
  );
}

function FindButton({ isMain }: Pick<LookupFormProps, "isMain">) {
  const { t } = useTranslation("order");
  const isOnline = useOnline();
  const Action = isMain ? PrimaryAction : Button;
  return (
    <Action type="submit" stretched disabled={!isOnline}>
      {t(isOnline ? "lookup.find" : "stale.waiting")}
    </Action>
  );
}
