import { useLocale } from "../i18n/index.ts";
import { localePath } from "#contract/locale.ts";

const LINK = /<(terms|privacy|aml)>(.+?)<\/\1>/;

/**
 * The terms that are accepted here and what goes with them, as links in a sentence that names each page as its language declines it: in
 * another tab, so that what was typed here stays.
 */
export function TermsLink({ children }: { readonly children: string }) {
  const locale = useLocale();
  // Each link leaves two pieces, its page and its words, between the words around it.
  const pieces = children.split(LINK);
  return (
    <p className="w-terms-link">
      {pieces.map((piece, at) => {
        if (at % 3 === 0) return piece;
        if (at % 3 === 2) return null;
        return (
          <a key={piece} href={localePath(locale, `/${piece}`)} target="_blank" rel="noopener">
            {pieces[at + 1]}
          </a>
        );
      })}
    </p>
  );
}
