import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Order } from "#contract/order.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { call } from "../../../shared/http/http.ts";
import { useTranslation } from "react-i18next";
import {
  clearFieldNotification,
  notify,
  SHORT_TIMEOUT_MS,
  useFieldNotification,
} from "../../../shared/page/notifications.ts";
import { useIsTracking } from "../../../shared/analytics/track.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { playHaptic } from "../../../shared/browser/haptics.ts";
import { Button, ForeignText, TextField } from "../../../shared/ui/index.ts";
import { cleanEmail, isEmail } from "../../../shared/format/email.ts";
import { trackOrderEvents } from "../tracking.ts";

const FIELD = "order-email";

type UpdatesProps = { readonly order: Order; readonly onSaved: () => Promise<void> };

/** The order's email: shown when it has one, otherwise a guest may set it once (spec §8, set-email). */
export function Updates({ order, onSaved }: UpdatesProps) {
  const { t } = useTranslation("order");
  return (
    <section className="w-order-card" aria-labelledby="order-updates">
      <h2 id="order-updates" className="w-order-summary__label">
        {t("updates.title")}
      </h2>
      {order.userEmail === null ? (
        <EmailForm order={order} onSaved={onSaved} />
      ) : (
        <p className="w-order-updates__email">
          <ForeignText>{order.userEmail}</ForeignText>
        </p>
      )}
    </section>
  );
}

function EmailForm({ order, onSaved }: UpdatesProps) {
  const { t } = useTranslation("order");
  const isOnline = useOnline();
  const isTracking = useIsTracking();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState({ email: "", hadPlus: false });
  const [isInvalid, setInvalid] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const notification = useFieldNotification(FIELD);
  useEffect(() => () => clearFieldNotification(FIELD), []);

  const notifyOf = (error: unknown) => {
    const message = t(isAlreadySet(error) ? "updates.alreadySet" : "updates.failed");
    notify({
      type: "error",
      message,
      field: FIELD,
      timeoutMs: SHORT_TIMEOUT_MS,
      traceId: error instanceof CallError ? error.traceId : null,
    });
  };

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await isEmail(typed.email))) {
      setInvalid(true);
      playHaptic("failed");
      field.current?.focus();
      return;
    }
    setSaving(true);
    try {
      await call("setEmail", { body: { orderId: order.orderId, userEmail: typed.email } });
      if (isTracking) void trackOrderEvents(order, ["email set"]);
      await onSaved();
    } catch (error) {
      notifyOf(error);
      playHaptic("failed");
    } finally {
      setSaving(false);
    }
  };

  return (
    <form className="w-order-updates" method="dialog" onSubmit={(event) => void save(event)} noValidate>
      <TextField
        ref={field}
        id={FIELD}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        label={t("updates.label")}
        hint={typed.hadPlus ? t("updates.plus") : t("updates.text")}
        value={typed.email}
        onValue={(value) => {
          setInvalid(false);
          clearFieldNotification(FIELD);
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

const isAlreadySet = (error: unknown): boolean =>
  error instanceof CallError && error.code === "ERR_UNPROCESSABLE_ENTITY";
