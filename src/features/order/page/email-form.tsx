import { type FormEvent, useRef, useState } from "react";
import type { Order } from "#contract/order.ts";
import { useTranslation } from "react-i18next";
import { clearFieldNotification, useFieldNotification } from "../../../shared/page/notifications.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { playHaptic } from "../../../shared/browser/haptics.ts";
import { Button, ForeignText, TextField } from "../../../shared/ui/index.ts";
import { cleanEmail, isEmail } from "../../../shared/format/email.ts";
import { EMAIL_FIELD, useSaveEmail } from "./use-save-email.ts";

type UpdatesProps = { readonly order: Order; readonly onSaved: () => Promise<unknown> };

/** The order's email: shown when it has one, otherwise a guest may set it once (spec §8, set-email). */
export function Updates({ order, onSaved }: UpdatesProps) {
  const { t } = useTranslation("order");
  const [wantsAnother, setWantsAnother] = useState(false);
  const isOpen = order.userEmail === null || (!order.isEmailConfirmed && wantsAnother);
  return (
    <section className="w-order-card" aria-labelledby="order-updates">
      <h2 id="order-updates" className="w-order-summary__label">
        {t("updates.title")}
      </h2>
      {isOpen ? (
        <EmailForm order={order} onSaved={onSaved} />
      ) : (
        <>
          <p className="w-order-updates__email">
            <ForeignText>{order.userEmail ?? ""}</ForeignText>
          </p>
          {order.isEmailConfirmed ? null : (
            <UnconfirmedEmail order={order} onSaved={onSaved} onOther={() => setWantsAnother(true)} />
          )}
        </>
      )}
    </section>
  );
}

/** Set by somebody who needed the order's id alone: whoever has opened the page says whether it is theirs. */
function UnconfirmedEmail({ order, onSaved, onOther }: UpdatesProps & { readonly onOther: () => void }) {
  const { t } = useTranslation("order");
  const isOnline = useOnline();
  const { save, isSaving } = useSaveEmail(order, onSaved);
  return (
    <div className="w-order-updates">
      <p className="w-order-updates__note">{t("updates.unconfirmed")}</p>
      <Button
        variant="soft"
        stretched
        disabled={!isOnline}
        busyLabel={isSaving ? t("updates.saving") : null}
        onClick={() => void save(order.userEmail ?? "")}
      >
        {t(isOnline ? "updates.confirm" : "stale.waiting")}
      </Button>
      <Button variant="plain" stretched onClick={onOther}>
        {t("updates.another")}
      </Button>
    </div>
  );
}

function EmailForm({ order, onSaved }: UpdatesProps) {
  const { t } = useTranslation("order");
  const { t: common } = useTranslation();
  const isOnline = useOnline();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState({ email: "", hadPlus: false });
  const [isInvalid, setInvalid] = useState(false);
  const notification = useFieldNotification(EMAIL_FIELD);
  const { save, isSaving } = useSaveEmail(order, onSaved);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await isEmail(typed.email)) return save(typed.email);
    setInvalid(true);
    playHaptic("failed");
    field.current?.focus();
  };

  return (
    <form className="w-order-updates" method="dialog" onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        ref={field}
        id={EMAIL_FIELD}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        label={t("updates.label")}
        hint={typed.hadPlus ? `${common("emailPlus")}. ${t("updates.text")}` : t("updates.text")}
        value={typed.email}
        onValue={(value) => {
          setInvalid(false);
          clearFieldNotification(EMAIL_FIELD);
          const cleaned = cleanEmail(value);
          setTyped((before) => ({
            email: cleaned.email,
            hadPlus: cleaned.hadPlus || (before.hadPlus && cleaned.email !== ""),
          }));
        }}
        error={isInvalid ? t("updates.invalid") : notification}
      />
      <Button
        type="submit"
        variant="soft"
        stretched
        disabled={!isOnline}
        busyLabel={isSaving ? t("updates.saving") : null}
      >
        {t(isOnline ? "updates.save" : "stale.waiting")}
      </Button>
    </form>
  );
}
