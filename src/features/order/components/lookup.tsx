import { type FormEvent, useRef, useState } from "react";
import { useLocale, useT } from "../../../lib/i18n/index.ts";
import { BoatPicture, BottomBar, Button, TextField } from "../../../ui/index.ts";
import { lookupErrors, type LookupErrors } from "../model/lookup-form.ts";
import { orderPath } from "../order-path.ts";
import { KeptList } from "./kept-list.tsx";
import "./lookup.css";

type LookupProps = { readonly orderId: string; readonly destinationAddress: string };

/** Asked for with an id and an address that don't open an order: says so, and lets both be mended. */
export function Lookup({ orderId, destinationAddress }: LookupProps) {
  const t = useT("order");
  return (
    <div className="w-order-lookup w-page">
      <BoatPicture />
      <p className="w-order-lookup__code">{t("lookup.code")}</p>
      <h1 className="w-order-lookup__title">{t("lookup.title")}</h1>
      <p className="w-order-lookup__text">{t("lookup.text")}</p>
      <LookupForm orderId={orderId} destinationAddress={destinationAddress} />
      <KeptList />
    </div>
  );
}

function LookupForm(props: LookupProps) {
  const t = useT("order");
  const locale = useLocale();
  const [orderId, setOrderId] = useState(props.orderId);
  const [address, setAddress] = useState(props.destinationAddress);
  const [errors, setErrors] = useState<LookupErrors>({ orderId: null, address: null });
  const idField = useRef<HTMLInputElement>(null);
  const addressField = useRef<HTMLInputElement>(null);

  const find = (event: FormEvent) => {
    event.preventDefault();
    const wrong = lookupErrors(orderId, address);
    setErrors(wrong);
    if (wrong.orderId !== null) idField.current?.focus();
    else if (wrong.address !== null) addressField.current?.focus();
    else location.assign(orderPath(locale, orderId.trim(), address.trim()));
  };

  return (
    <form className="w-order-lookup__form" method="dialog" onSubmit={find} noValidate>
      <TextField
        ref={idField}
        id="order-id"
        name="orderId"
        mono
        label={t("lookup.id")}
        hint={t("lookup.idHint")}
        value={orderId}
        onValue={setOrderId}
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
      <BottomBar>
        <Button type="submit" stretched>
          {t("lookup.find")}
        </Button>
      </BottomBar>
    </form>
  );
}
