import { createContext, use } from "react";

/** The email of who is signed in; null for a guest, and where nothing provides accounts. */
export const AccountEmailContext = createContext<string | null>(null);

export const useAccountEmail = (): string | null => use(AccountEmailContext);
