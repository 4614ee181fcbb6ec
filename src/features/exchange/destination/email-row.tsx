import { useAccountEmail } from "../../../shared/account/account.ts";
import { useTranslation } from "react-i18next";
import { useHydrated } from "../../../shared/page/use-hydrated.ts";
import { Button, Icon, VisuallyHidden } from "../../../shared/ui/index.ts";
import { knownRate } from "../store/selectors.ts";
import { useExchangeState } from "../store/provider.tsx";
import { forgetEmail, useRememberedEmail } from "../store/remembered-email.ts";

/** Where updates will go without a question: the account's email, or the one remembered on this device. */
export function EmailRow() {
  const accountEmail = useAccountEmail();
  const isAsked = knownRate(useExchangeState())?.ckm === "A";
  const isHydrated = useHydrated();
  const { t } = useTranslation("exchange");
  if (accountEmail !== null) return <Row email={accountEmail} text={t("email.account")} />;
  return isAsked && isHydrated ? <Remembered /> : null;
}

function Remembered() {
  const { t } = useTranslation("exchange");
  const email = useRememberedEmail();
  if (email === null) return null;
  return (
    <Row email={email} text={t("email.remembered")}>
      <Button variant="plain" onClick={forgetEmail}>
        {t("email.forget")} <VisuallyHidden>{email}</VisuallyHidden>
      </Button>
    </Row>
  );
}

type RowProps = { readonly email: string; readonly text: string; readonly children?: React.ReactNode };

const Row = ({ email, text, children }: RowProps) => (
  <div className="w-destination__email">
    <Icon name="mail" />
    <div className="w-destination__email-text">
      <p>{email}</p>
      <p className="w-order-sum__mode">{text}</p>
    </div>
    {children}
  </div>
);
