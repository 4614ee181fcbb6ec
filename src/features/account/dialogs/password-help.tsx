import { useTranslation } from "react-i18next";
import { classNames, Icon, LiveRegion, VisuallyHidden } from "../../../shared/ui/index.ts";
import { passwordRules, passwordStrength } from "../model/password-rules.ts";
import "./dialogs.css";

type PasswordHelpProps = { readonly id: string; readonly password: string; readonly email: string };

const BARS = { weak: 1, fair: 2, strong: 3 } as const;

/** The rules of a new password, each as it is met, and how hard it is to guess. */
export function PasswordHelp({ id, password, email }: PasswordHelpProps) {
  const { t } = useTranslation("account");
  const strength = passwordStrength(password);
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
