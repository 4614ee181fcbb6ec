import { useSnapshot } from "valtio";
import { emailSchema } from "#contract/order.ts";
import { persisted } from "../../../shared/browser/storage.ts";

const state = persisted<string | null>(
  "exchange-email:v1",
  (saved) => emailSchema.safeParse(saved).data ?? null,
  (email) => email,
);

/** The email that someone confirmed and had remembered on this device; null without one. */
export const rememberedEmail = (): string | null => state.value;

export const useRememberedEmail = (): string | null => useSnapshot(state).value;

export function rememberEmail(email: string): void {
  state.value = email;
}

export function forgetEmail(): void {
  state.value = null;
}
