import { useTranslation } from "react-i18next";
import { Button, Icon } from "../../../shared/ui/index.ts";

/** Signs in by the mini-app, which knows its user (picture 45). The app opens beside this page: what was typed here stays. */
export function TelegramSignInLink({ href }: { readonly href: string }) {
  const { t } = useTranslation("account");
  return (
    <>
      <Button variant="outline" size="l" stretched href={href} isNewTab icon={<Icon name="telegram" />}>
        {t("login.telegram")}
      </Button>
      <p className="w-auth__or">{t("login.orEmail")}</p>
    </>
  );
}
