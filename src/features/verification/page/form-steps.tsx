import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { IDENTITY_TYPES } from "#contract/accounts/verification.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { Checkbox, Icon, Radio, SelectField, TextField } from "../../../shared/ui/index.ts";
import { countriesIn } from "../model/countries.ts";
import type { Draft, DraftErrors } from "../model/draft.ts";

type StepProps = {
  readonly draft: Draft;
  readonly errors: DraftErrors;
  readonly onChange: (changes: Partial<Draft>) => void;
};

export function CountryStep({ draft, errors, onChange }: StepProps) {
  const { t } = useTranslation("verification");
  const locale = useLocale();
  const countries = useMemo(() => countriesIn(locale), [locale]);
  return (
    <>
      <p className="w-check-form__text">{t("RESIDENTIAL.text")}</p>
      <SelectField
        id="check-country"
        name="issueCountry"
        autoComplete="country"
        label={t("RESIDENTIAL.country")}
        error={errors.issueCountry ? t("error.issueCountry") : null}
        options={[
          { value: "", label: t("RESIDENTIAL.choose") },
          ...countries.map(({ code, name }) => ({ value: code, label: name })),
        ]}
        value={draft.issueCountry}
        onValue={(issueCountry) => onChange({ issueCountry })}
      />
    </>
  );
}

export function DocumentStep({ draft, errors, onChange }: StepProps) {
  const { t } = useTranslation("verification");
  const isWrong = errors.identityType !== undefined;
  return (
    <fieldset className="w-check-form__choice" aria-describedby={isWrong ? "check-type-error" : undefined}>
      <legend className="w-check-form__text">{t("TYPE_ID.text")}</legend>
      {IDENTITY_TYPES.map((type) => (
        <Radio
          key={type}
          className="w-check-form__option"
          name="identityType"
          value={type}
          checked={draft.identityType === type}
          onChecked={() => onChange({ identityType: type })}
        >
          {t(`TYPE_ID.${type}`)}
          <span className="w-check-form__option-text">{t(`TYPE_ID.${type}_text`)}</span>
        </Radio>
      ))}
      {isWrong ? (
        <p className="w-field__note w-field__note--error" id="check-type-error">
          <Icon name="error" size={16} />
          <span>{t("error.identityType")}</span>
        </p>
      ) : null}
    </fieldset>
  );
}

const TEXT_FIELDS = [
  { field: "firstName", type: "text", autoComplete: "given-name", maxLength: 100 },
  { field: "lastName", type: "text", autoComplete: "family-name", maxLength: 100 },
  { field: "birthDate", type: "date", autoComplete: "bday", maxLength: 10 },
  { field: "identityNumber", type: "text", autoComplete: "off", maxLength: 40 },
] as const;

export function DetailsStep({ draft, errors, onChange }: StepProps) {
  const { t } = useTranslation("verification");
  return (
    <>
      <p className="w-check-form__text">{t("PERSONAL_INFO.text")}</p>
      {TEXT_FIELDS.map(({ field, type, autoComplete, maxLength }) => (
        <TextField
          key={field}
          id={`check-${field}`}
          name={field}
          type={type}
          autoComplete={autoComplete}
          maxLength={maxLength}
          mono={field === "identityNumber"}
          label={t(`PERSONAL_INFO.${field}`)}
          value={draft[field]}
          onValue={(value) => onChange({ [field]: value })}
          error={errors[field] ? t(`error.${field}`) : null}
        />
      ))}
      <TextField
        id="check-expireDate"
        name="expireDate"
        type="date"
        label={t("PERSONAL_INFO.expireDate")}
        value={draft.expireDate}
        disabled={draft.hasNoEnd}
        onValue={(expireDate) => onChange({ expireDate })}
        error={errors.expireDate ? t("error.expireDate") : null}
      />
      <Checkbox
        name="hasNoEnd"
        label={t("PERSONAL_INFO.noEnd")}
        checked={draft.hasNoEnd}
        onChecked={(hasNoEnd) => onChange({ hasNoEnd })}
      />
    </>
  );
}

const TIPS = ["light", "corners", "letters", "face"] as const;

export function ReadyStep() {
  const { t } = useTranslation("verification");
  return (
    <>
      <p className="w-check-form__text">{t("GET_READY.text")}</p>
      <ul className="w-check-form__tips">
        {TIPS.map((tip) => (
          <li key={tip}>
            <Icon name="check" />
            <span>{t(`GET_READY.${tip}`)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
