/** spec §3: one is open at a time. `reauthenticate` asks who is signed in for their password once more (contract §8). */
export type AuthDialog = "login" | "register" | "restore" | "newPassword";

/** spec §3, authData: what was typed into the dialogs, and the second factor's code. */
export type AuthData = {
  email: string;
  password: string;
  passwordConfirm: string;
  passwordResetCode: string;
  secondFactorCode: string;
  isTermsAccepted: boolean;
};

export type AuthField = keyof AuthData;

/** Keys of the namespace `account` under `error`; spec §8 names those in capitals and with underscores. */
export type FieldError =
  | "EMAIL_VALIDATION_ERROR"
  | "PASSWORD_DO_NOT_MATCH_ERROR"
  | "account_password_validation_error"
  | "error_agree_privacy"
  | "ERR_INVALID_CREDENTIALS"
  | "ERR_USER_ALREADY_REGISTERED"
  | "ERR_INVALID_PASSWORD_RESET_CODE"
  | "passwordMissing"
  | "passwordRules"
  | "codeMissing"
  | "secondFactorWrong";

export type FieldErrors = Partial<Record<AuthField, FieldError>>;
