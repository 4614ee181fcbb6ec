import { useTranslation } from "react-i18next";
import { TextField } from "../../../shared/ui/index.ts";

type CodeFieldProps = {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: string | null;
};

/** The code that was mailed. */
export function CodeField(props: CodeFieldProps) {
  const { t } = useTranslation("account");
  return (
    <TextField id="email-code" name="code" autoComplete="one-time-code" mono label={t("newPassword.code")} {...props} />
  );
}
