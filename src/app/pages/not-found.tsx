import { useLocale, useT } from "../../lib/i18n/index.ts";
import { localePath } from "../../lib/locale.ts";
import { BoatPicture, BottomBar, Button } from "../../ui/index.ts";
import "./message-page.css";

/** Nothing at this address, in the words of spec §2. */
export function NotFoundPage({ path }: { readonly path: string }) {
  const t = useT("common");
  const fullPath = localePath(useLocale(), path);
  const [before, after] = t("notFound.message", { path: "\n" }).split("\n");
  return (
    <div className="w-message-page w-page">
      <BoatPicture isLeaning />
      <p className="w-message-page__code">{t("notFound.code")}</p>
      <h1 className="w-message-page__title">{t("notFound.title")}</h1>
      <p className="w-message-page__text">
        {before}
        <code>{fullPath}</code>
        {after}
      </p>
      <p className="w-message-page__hint">{t("notFound.order")}</p>
      <div className="w-message-page__actions">
        <BottomBar>
          <Button href="/">{t("notFound.exchange")}</Button>
        </BottomBar>
      </div>
    </div>
  );
}
