import { useAccountEmail } from "../../../shared/account/account.ts";
import { useTranslation } from "react-i18next";
import { useHydrated } from "../../../shared/page/use-hydrated.ts";
import { Button, Icon, VisuallyHidden } from "../../../shared/ui/index.ts";
import { knownRate } from "../store/selectors.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";
import { forgetEmail, useRememberedEmail } from "../store/remembered-email.ts";

/** Where updates will go without a question: the account's email, that of the order that is created again, or the one remembered here. */
export function EmailRow() {
  const accountEmail = useAccountEmail();
  const state = useExchangeState();
  const isAsked = knownRate(state)?.ckm === "A";
  const isHydrated = useHydrated();
  const { t } = useTranslation("exchange");
  if (accountEmail !== null) return <Row email={accountEmail} text={t("email.account")} />;
  if (state.email !== null) return <FormerEmail email={state.email} />;
  return isAsked && isHydrated ? <Remembered /> : null;
}

function FormerEmail({ email }: { readonly email: string }) {
  const { t } = useTranslation("exchange");
  const { state } = useExchangeStore();
  const forget = () => {
    state.email = null;
  };
  return <Row email={email} text={t("email.former")} onForget={forget} />;
}

function Remembered() {
  const { t } = useTranslation("exchange");
  const email = useRememberedEmail();
  return email === null ? null : <Row email={email} text={t("email.remembered")} onForget={forgetEmail} />;
}

type RowProps = { readonly email: string; readonly text: string; readonly onForget?: () => void };

function Row({ email, text, onForget }: RowProps) {
  const { t } = useTranslation("exchange");
  return (
    <div className="w-destination__email">
      <Icon name="mail" />
      <div className="w-destination__email-text">
        <p>{email}</p>
        <p className="w-order-sum__mode">{text}</p>
      </div>
      {onForget === undefined ? null : (
        <Button variant="plain" onClick={onForget}>
          {t("email.forget")} <VisuallyHidden>{email}</VisuallyHidden>
        </Button>
      )}
    </div>
  );
}
