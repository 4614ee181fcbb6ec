import { useState } from "react";
import type { Order } from "#contract/order.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { useTranslation } from "react-i18next";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { AroundForeignText, Button, Note } from "../../../shared/ui/index.ts";
import { paySandbox } from "../api.ts";
import { exactCoinText } from "../model/amount-text.ts";

type SandboxPayCardProps = { readonly order: Order; readonly onPaid: () => Promise<unknown> };
type State = { kind: "idle" | "paying" } | { kind: "paid"; amount: string } | { kind: "failed"; reason: string | null };

/** Lets someone without a wallet pay on the local network (contract §7). */
export function SandboxPayCard({ order, onPaid }: SandboxPayCardProps) {
  const { t } = useTranslation("order");
  const isOnline = useOnline();
  const [state, setState] = useState<State>({ kind: "idle" });

  const pay = async () => {
    setState({ kind: "paying" });
    try {
      const { amount } = await paySandbox(order.orderId);
      setState({ kind: "paid", amount });
      await onPaid();
    } catch (error) {
      setState({ kind: "failed", reason: error instanceof CallError && error.kind === "coded" ? error.message : null });
    }
  };

  if (state.kind === "paid") {
    const amount = exactCoinText(state.amount, order.pair.instrumentFrom);
    return (
      <div role="status">
        <Note tone="success" title={t("sandbox.title")}>
          {t("sandbox.paid", { amount })}
        </Note>
      </div>
    );
  }
  return (
    <div className="w-order-sandbox w-order-card">
      <p className="w-order-sandbox__title">{t("sandbox.title")}</p>
      <p className="w-order-sandbox__text">{t("sandbox.text")}</p>
      {state.kind === "failed" ? (
        <Note
          tone="danger"
          title={
            state.reason === null ? (
              t("sandbox.unreachable")
            ) : (
              <AroundForeignText sentence={t("sandbox.failed", { reason: "\n" })} text={state.reason} />
            )
          }
        />
      ) : null}
      <Button
        variant="soft"
        stretched
        disabled={!isOnline}
        busyLabel={state.kind === "paying" ? t("sandbox.paying") : null}
        onClick={() => void pay()}
      >
        {t(isOnline ? "sandbox.pay" : "stale.waiting")}
      </Button>
    </div>
  );
}
