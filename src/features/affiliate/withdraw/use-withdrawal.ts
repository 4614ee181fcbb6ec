import { useRef, useState } from "react";
import type { CreateWithdrawalBody, WithdrawalStatus } from "#contract/accounts/earnings.ts";
import { playHaptic } from "../../../shared/browser/haptics.ts";
import { randomHex } from "../../../shared/browser/random-hex.ts";
import { withReauthentication } from "../../../shared/account/reauthentication.ts";
import { useReloadSeen } from "../../../shared/account/last-seen.ts";
import { createWithdrawal } from "../api.ts";
import { readWithdrawalFailure, type WithdrawalErrors, type WithdrawalFailure } from "../model/withdrawal.ts";

export type Withdrawn = { readonly body: CreateWithdrawalBody; readonly status: WithdrawalStatus };

type Request = {
  readonly isPending: boolean;
  /** spec §3, withdrawError. */
  readonly failure: WithdrawalFailure | null;
  readonly forget: () => void;
  /** Sends one withdrawal at a time; null where it was not taken, with the errors of its fields. */
  readonly send: (body: CreateWithdrawalBody) => Promise<Withdrawn | WithdrawalErrors | null>;
};

/** Withdraws; afterwards balances and lists are loaded anew, whatever became of it (spec §4). */
export function useWithdrawal(): Request {
  const reload = useReloadSeen();
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<WithdrawalFailure | null>(null);
  const attempt = useRef<{ readonly body: string; readonly key: string } | null>(null);

  const send = async (body: CreateWithdrawalBody) => {
    if (isPending) return null;
    setPending(true);
    setFailure(null);
    const text = JSON.stringify(body);
    // What may have been taken is asked for under its own key: it is never taken twice.
    const { key } = (attempt.current =
      attempt.current?.body === text ? attempt.current : { body: text, key: randomHex() });
    try {
      const answer = await withReauthentication(() => createWithdrawal(body, key));
      attempt.current = null;
      if (answer === null) return null;
      playHaptic("completed");
      return { body, status: answer.status };
    } catch (error) {
      playHaptic("failed");
      const read = readWithdrawalFailure(error);
      if (read.kind !== "unknown") attempt.current = null;
      if (read.kind !== "fields") console.warn("the withdrawal was not taken", error);
      setFailure(read);
      return read.kind === "fields" ? read.errors : null;
    } finally {
      setPending(false);
      void reload();
    }
  };
  return { isPending, failure, forget: () => setFailure(null), send };
}
