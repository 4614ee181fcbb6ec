import { useTranslation } from "react-i18next";
import { useLocale } from "../i18n/index.ts";
import { localePath } from "#contract/locale.ts";

const OTHERS = ["privacy", "aml"] as const;

/** The terms that are accepted here and what goes with them: in another tab, so that what was typed here stays. */
export function TermsLink({ children }: { readonly children: string }) {
  const { t } = useTranslation("common");
  const locale = useLocale();
  const link = (page: string, text: string) => (
    <a key={page} href={localePath(locale, `/${page}`)} target="_blank" rel="noopener">
      {text}
    </a>
  );
  return (
    <p className="w-terms-link">
      {link("terms", children)}
      {OTHERS.map((page) => [", ", link(page, t(`footer.${page}`))])}
    </p>
  );
}
