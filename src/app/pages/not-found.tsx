import { useTranslation } from "react-i18next";
import { BoatIllustration, BottomBar, Button, ForeignText, Placeholder, PrimaryAction } from "../../shared/ui/index.ts";
import { ORDERS_PATH } from "../layout/navigation.ts";
import "./message-page.css";

type NotFoundPageProps = {
  /** `Page Not FoundPage: {full path}` (spec §2). */
  readonly message: string;
};

/** Nothing at this URL; the message is that of spec §2. */
export function NotFoundPage({ message }: NotFoundPageProps) {
  const { t } = useTranslation("common");
  const path = message.replace(/^[^/]*/, "");
  const [before, after] = t("notFound.message", { path: "\n" }).split("\n");
  return (
    <Placeholder className="w-message-page w-page">
      <BoatIllustration isLeaning />
      <p className="w-message-page__code">{t("notFound.code")}</p>
      <h1 className="w-message-page__title">{t("notFound.title")}</h1>
      <p className="w-message-page__text">
        {before}
        <code>
          <ForeignText>{path}</ForeignText>
        </code>
        {after}
      </p>
      <p className="w-message-page__hint w-message-page__hint--last">{t("notFound.order")}</p>
      <div className="w-message-page__actions">
        <BottomBar>
          <PrimaryAction href="/">{t("notFound.exchange")}</PrimaryAction>
        </BottomBar>
        <Button href={ORDERS_PATH} variant="outline" size="l">
          {t("notFound.findOrder")}
        </Button>
      </div>
    </Placeholder>
  );
}
