import { useLocale } from "../i18n/index.ts";
import { localePath } from "../i18n/locale.ts";

/** The terms beside the box that accepts them: in another tab, so that what was typed here stays. */
export function TermsLink({ children }: { readonly children: string }) {
  const href = localePath(useLocale(), "/terms");
  return (
    <p className="w-terms-link">
      <a href={href} target="_blank" rel="noopener">
        {children}
      </a>
    </p>
  );
}
