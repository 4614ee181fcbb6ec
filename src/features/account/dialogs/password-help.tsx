import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { passwordProblems } from "#contract/accounts/password.ts";
import { classNames, Icon, LiveRegion, VisuallyHidden } from "../../../shared/ui/index.ts";
import { passwordRules } from "../model/password-rules.ts";
import { type PasswordStrength, passwordStrength } from "../model/password-strength.ts";
import "./dialogs.css";

type PasswordHelpProps = { readonly id: string; readonly password: string; readonly email: string };

const BARS = { weak: 1, fair: 2, strong: 3 } as const;

/** The rules of a new password, each as it is met, and how hard it is to guess. */
export function PasswordHelp({ id, password, email }: PasswordHelpProps) {
  const { t } = useTranslation("account");
  const strength = useStrength(password, email);
  return (
    <div className="w-password-help">
      <ul id={id} aria-label={t("rule.title")}>
        {passwordRules(password, email).map(({ rule, isKept }) => (
          <li key={rule} className={classNames("w-password-help__rule", isKept && "w-password-help__rule--kept")}>
            {isKept ? <Icon name="check" size={16} /> : <span className="w-password-help__dot" aria-hidden="true" />}
            <span>
              {t(`rule.${rule}`)} <VisuallyHidden>({t(isKept ? "rule.kept" : "rule.open")})</VisuallyHidden>
            </span>
          </li>
        ))}
      </ul>
      {strength === null ? null : (
        <p className={`w-password-help__strength w-password-help__strength--${BARS[strength]}`} aria-hidden="true">
          <span className="w-password-help__bars" />
          {t(`strength.${strength}`)}
        </p>
      )}
      <LiveRegion text={strength === null ? "" : t(`strength.${strength}`)} />
    </div>
  );
}

/** Null for a password that can't be taken anyway, and while it is not known. */
function useStrength(password: string, email: string): PasswordStrength | null {
  const [strength, setStrength] = useState<PasswordStrength | null>(null);
  const isTaken = passwordProblems(password, email).length === 0;
  useEffect(() => {
    if (!isTaken) return setStrength(null);
    let isOver = false;
    const show = (found: PasswordStrength | null) => {
      if (!isOver) setStrength(found);
    };
    passwordStrength(password, email).then(show, (error: unknown) => {
      console.debug("the strength of a password can't be estimated", error);
      show(null);
    });
    return () => {
      isOver = true;
    };
  }, [password, email, isTaken]);
  return strength;
}
