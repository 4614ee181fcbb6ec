import * as z from "zod/mini";
import {
  DEFAULT_EXPIRE_DATE,
  IDENTITY_TYPES,
  identitySchema,
  needsBackPhoto,
  PHOTO_FIELDS,
  type PhotoField,
} from "#contract/accounts/verification.ts";
import { UPLOAD_STEPS, type UploadStep } from "./upload-step.ts";

/** What a person has typed and photographed so far (spec §3, verificationData), as the device keeps it. */
export const draftSchema = z.readonly(
  z.object({
    step: z.enum(UPLOAD_STEPS),
    issueCountry: z.string(),
    identityType: z.nullable(z.enum(IDENTITY_TYPES)),
    firstName: z.string(),
    lastName: z.string(),
    /** ISO days; empty while nothing was typed. */
    birthDate: z.string(),
    identityNumber: z.string(),
    expireDate: z.string(),
    hasNoEnd: z.boolean(),
    photos: z.readonly(z.partialRecord(z.enum(PHOTO_FIELDS), z.instanceof(Blob))),
  }),
);
export type Draft = z.infer<typeof draftSchema>;

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

/** The draft at its step, or at the one before whose fields are not all right: later steps rely on them. */
export function resumeDraft(draft: Draft, today: string): Draft {
  const before = UPLOAD_STEPS.slice(0, UPLOAD_STEPS.indexOf(draft.step));
  const open = before.find((step) => Object.keys(checkStep(step, draft, today)).length > 0);
  return { ...draft, step: open ?? draft.step };
}

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
