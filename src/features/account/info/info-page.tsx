import { useTranslation } from "react-i18next";
import { Section } from "../../../shared/ui/index.ts";
import type { ProfilePageProps } from "../../../shared/account/profile-page-props.ts";
import { ConfirmEmail } from "./confirm-email.tsx";
import { DataSection } from "./data-section.tsx";
import { EmailRow } from "./email-row.tsx";
import { NoticesSection } from "./notices-section.tsx";
import { PasswordRow } from "./password-row.tsx";
import { SecondFactorRow } from "./second-factor-row.tsx";
import { SessionsList } from "./sessions-list.tsx";
import { TelegramRow } from "./telegram-row.tsx";

/** `/profile/info`: how the account is signed in to, where it is, and its data. */
export function InfoPage({ account, onDeleted, children }: ProfilePageProps) {
  const { t } = useTranslation("account");
  const { userId, email, isEmailConfirmed, hasSecondFactor, isTelegramLinked } = account;
  return (
    <>
      {email === null || isEmailConfirmed ? null : <ConfirmEmail email={email} />}
      <Section title={t("info.signIn")}>
        <EmailRow email={email} />
        {email === null ? null : <PasswordRow email={email} />}
        <SecondFactorRow isOn={hasSecondFactor} />
        <TelegramRow email={email} isLinked={isTelegramLinked} />
      </Section>
      <SessionsList userId={userId} />
      <NoticesSection />
      {children}
      <DataSection onDeleted={onDeleted} />
    </>
  );
}
