import { localStore } from "../../../shared/browser/storage.ts";

const KEY = "exchange-email:v1";

/** The email that someone confirmed and had remembered on this device; null without one. */
export const rememberedEmail = (): string | null => localStore.get(KEY);

export const rememberEmail = (email: string): void => localStore.set(KEY, email);

export const forgetEmail = (): void => localStore.remove(KEY);
