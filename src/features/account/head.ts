import type { TFunction } from "i18next";

/** Title and description of the account's own page. */
export const profileHead = (_data: null, t: TFunction): { title: string; description: string } => ({
  title: `${t("profile.title", { ns: "account" })} · Wherry`,
  description: t("profile.description", { ns: "account" }),
});
