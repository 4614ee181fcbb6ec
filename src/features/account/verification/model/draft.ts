import {
  DEFAULT_EXPIRE_DATE,
  identitySchema,
  type IdentityType,
  needsBackPhoto,
  PHOTO_FIELDS,
  type PhotoField,
} from "#contract/verification.ts";
import type { UploadStep } from "./upload-step.ts";

/** What a person has typed and photographed so far (spec §3, verificationData). */
export type Draft = {
  readonly step: UploadStep;
  readonly issueCountry: string;
  readonly identityType: IdentityType | null;
  readonly firstName: string;
  readonly lastName: string;
  /** ISO days; empty while nothing was typed. */
  readonly birthDate: string;
  readonly identityNumber: string;
  readonly expireDate: string;
  readonly hasNoEnd: boolean;
  readonly photos: { readonly [Field in PhotoField]?: Blob };
};

export const emptyDraft = (): Draft => ({
  step: "NONE",
  issueCountry: "",
  identityType: null,
  firstName: "",
  lastName: "",
  birthDate: "",
  identityNumber: "",
  expireDate: "",
  hasNoEnd: false,
  photos: {},
});

export type DraftField =
  | "issueCountry"
  | "identityType"
  | "firstName"
  | "lastName"
  | "birthDate"
  | "identityNumber"
  | "expireDate";
/** What is wrong with a field: keys of the namespace `verification` under `error`. */
export type DraftErrors = { readonly [Field in DraftField]?: Field };

/** Nobody alive was born before. */
const FIRST_BIRTH = "1900-01-01";

const isFit = (field: keyof typeof identitySchema.shape, value: unknown): boolean =>
  identitySchema.shape[field].safeParse(value).success;

const CHECKS: Record<DraftField, (draft: Draft, today: string) => boolean> = {
  issueCountry: ({ issueCountry }) => isFit("issueCountry", issueCountry),
  identityType: ({ identityType }) => identityType !== null,
  firstName: ({ firstName }) => isFit("firstName", firstName),
  lastName: ({ lastName }) => isFit("lastName", lastName),
  birthDate: ({ birthDate }, today) => isFit("birthDate", birthDate) && birthDate >= FIRST_BIRTH && birthDate < today,
  identityNumber: ({ identityNumber }) => isFit("identityNumber", identityNumber),
  expireDate: ({ expireDate, hasNoEnd }, today) => hasNoEnd || (isFit("expireDate", expireDate) && expireDate >= today),
};

/** The fields of each step, in the order of the screen. */
export const STEP_FIELDS: Readonly<Record<UploadStep, readonly DraftField[]>> = {
  NONE: [],
  RESIDENTIAL: ["issueCountry"],
  TYPE_ID: ["identityType"],
  PERSONAL_INFO: ["firstName", "lastName", "birthDate", "identityNumber", "expireDate"],
  GET_READY: [],
  UPLOADING_DOCS: [],
};

/** What is wrong on a step; `today` as an ISO day. */
export const checkStep = (step: UploadStep, draft: Draft, today: string): DraftErrors =>
  Object.fromEntries(STEP_FIELDS[step].filter((field) => !CHECKS[field](draft, today)).map((field) => [field, field]));

/** The photos that this document needs, in the order of the screen. */
export const photosOf = ({ identityType }: Pick<Draft, "identityType">): PhotoField[] =>
  PHOTO_FIELDS.filter((field) => field !== "backendPhoto" || (identityType !== null && needsBackPhoto(identityType)));

export const photosLeft = (draft: Draft): number =>
  photosOf(draft).filter((field) => draft.photos[field] === undefined).length;

/** The form as the service takes it; null while something is missing. */
export function toForm(draft: Draft, today: string) {
  const { identityType, photos, hasNoEnd } = draft;
  const isWhole = Object.values(CHECKS).every((check) => check(draft, today));
  const [facePhoto, frontPhoto] = [fileOf(photos, "facePhoto"), fileOf(photos, "frontPhoto")];
  if (!isWhole || identityType === null || facePhoto === null || frontPhoto === null) return null;
  const backendPhoto = needsBackPhoto(identityType) ? fileOf(photos, "backendPhoto") : undefined;
  if (backendPhoto === null) return null;
  return {
    firstName: draft.firstName.trim(),
    lastName: draft.lastName.trim(),
    issueCountry: draft.issueCountry,
    birthDate: draft.birthDate,
    expireDate: hasNoEnd ? DEFAULT_EXPIRE_DATE : draft.expireDate,
    identityType,
    identityNumber: draft.identityNumber.trim(),
    facePhoto,
    frontPhoto,
    ...(backendPhoto && { backendPhoto }),
  };
}

function fileOf(photos: Draft["photos"], field: PhotoField): File | null {
  const photo = photos[field];
  return photo === undefined ? null : new File([photo], `${field}.jpg`, { type: "image/jpeg" });
}
