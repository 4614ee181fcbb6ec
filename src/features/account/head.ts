import type { TFunction } from "i18next";

/** Title and description of a page of the profile. */
export const profileHead = (title: string, t: TFunction): { title: string; description: string } => ({
  title: `${title} · Wherry`,
  description: t("profile.description", { ns: "account" }),
});
