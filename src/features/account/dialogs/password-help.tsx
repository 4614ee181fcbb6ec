import { useTranslation } from "react-i18next";
import { classNames, Icon, VisuallyHidden } from "../../../shared/ui/index.ts";
import { passwordRules } from "../model/password-rules.ts";
import "./dialogs.css";

type PasswordHelpProps = { readonly id: string; readonly password: string; readonly email: string };

/** The rules of a new password, each as it is met. */
export function PasswordHelp({ id, password, email }: PasswordHelpProps) {
  const { t } = useTranslation("account");
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
    </div>
  );
}
