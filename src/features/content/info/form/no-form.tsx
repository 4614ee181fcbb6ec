import { useTranslation } from "react-i18next";

/** Where nobody reads messages, the page says so rather than taking them. */
export function NoForm({ email }: { readonly email: string | null }) {
  const { t } = useTranslation("info");
  return <p className="w-info__text">{email === null ? t("form.none") : t("form.noneEmail", { email })}</p>;
}
