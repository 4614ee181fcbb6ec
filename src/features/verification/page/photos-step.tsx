import type { TFunction } from "i18next";
import { Suspense, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PhotoField } from "#contract/accounts/verification.ts";
import { reloadToScan, takeReloadToScan } from "../../../address/scan/reload-to-scan.ts";
import { lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";
import { formatDay } from "../../../shared/format/format-day.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { Icon } from "../../../shared/ui/index.ts";
import { countryName } from "../model/countries.ts";
import { type Draft, photosOf } from "../model/draft.ts";
import { PhotoRow } from "./photo-row.tsx";
import { PhotoFaultError, preparePhoto, type RowProblem } from "./prepare-photo.ts";

const camera = lazyWithPreload(
  "src/features/verification/page/camera-dialog.tsx",
  async () => (await import("./camera-dialog.tsx")).CameraDialog,
);

type PhotosStepProps = {
  readonly draft: Draft;
  /** What the service said of the photos that were sent. */
  readonly problems: { readonly [Field in PhotoField]?: RowProblem };
  readonly onPhotos: (change: (now: Draft["photos"]) => Draft["photos"]) => void;
};

/** The photos that the document needs, each by the camera or from a file. */
export function PhotosStep({ draft, problems, onPhotos }: PhotosStepProps) {
  const { t } = useTranslation("verification");
  const locale = useLocale();
  const [shooting, setShooting] = useState<PhotoField | null>(null);
  const [faults, setFaults] = useState<{ readonly [Field in PhotoField]?: RowProblem }>({});
  const [working, setWorking] = useState<PhotoField | null>(null);
  const fields = photosOf(draft);
  const { photos } = draft;
  const resume = useEffectEvent(() => {
    const reloaded = fields.find((field) => takeReloadToScan(field));
    if (reloaded !== undefined) setShooting(reloaded);
  });
  useEffect(() => resume(), []);
  const take = async (field: PhotoField, source: Blob | HTMLVideoElement) => {
    setWorking(field);
    try {
      const photo = await preparePhoto(source);
      setFaults((now) => ({ ...now, [field]: undefined }));
      onPhotos((now) => ({ ...now, [field]: photo }));
    } catch (error) {
      if (!(error instanceof PhotoFaultError)) throw error;
      setFaults((now) => ({ ...now, [field]: error.fault }));
      onPhotos(({ [field]: _dropped, ...others }) => others);
    } finally {
      setWorking((now) => (now === field ? null : now));
    }
  };
  const nameOf = (field: PhotoField) =>
    t(field === "frontPhoto" && draft.identityType === "passport" ? "photo.frontPhoto_passport" : `photo.${field}`);
  return (
    <>
      <p className="w-check-form__text">
        {t("UPLOADING_DOCS.text", {
          document: documentName(draft, t),
          country: countryName(draft.issueCountry, locale),
        })}
      </p>
      <ul className="w-check-form__photos">
        {fields.map((field) => (
          <PhotoRow
            key={field}
            field={field}
            name={nameOf(field)}
            photo={photos[field] ?? null}
            problem={faults[field] ?? problems[field] ?? null}
            isWorking={working === field}
            onShoot={() => {
              if (!reloadToScan(field)) setShooting(field);
            }}
            onFile={(file) => void take(field, file)}
          />
        ))}
      </ul>
      <Summary draft={draft} />
      <p className="w-check-form__privacy">
        <Icon name="lock" />
        <span>{t("UPLOADING_DOCS.privacy")}</span>
      </p>
      {shooting === null ? null : (
        <Suspense fallback={null}>
          <camera.Component
            title={nameOf(shooting)}
            side={shooting === "facePhoto" ? "user" : "environment"}
            onClose={() => setShooting(null)}
            onShot={async (video) => {
              await take(shooting, video);
              setShooting(null);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

const documentName = ({ identityType }: Draft, t: TFunction<"verification">): string =>
  identityType === null ? "" : t(`UPLOADING_DOCS.${identityType}`);

function Summary({ draft }: { readonly draft: Draft }) {
  const { t } = useTranslation("verification");
  const locale = useLocale();
  const rows = [
    [t("UPLOADING_DOCS.document"), documentName(draft, t)],
    [t("UPLOADING_DOCS.number"), draft.identityNumber],
    [
      t("UPLOADING_DOCS.validUntil"),
      draft.hasNoEnd ? t("UPLOADING_DOCS.noEnd") : formatDay(draft.expireDate, locale, { withYear: true }),
    ],
  ] as const;
  return (
    <dl className="w-check-form__summary">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
