import * as z from "zod/mini";

// Verification of an identity (spec §§3, 4, 7; contract §10).

/**
 * spec §4
 *
 * @internal Exported for its tests.
 */
export const KYC_STATUSES = ["NOT_STARTED", "CREATED", "PROCESS", "PASS", "REJECT"] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

export const IDENTITY_TYPES = ["passport", "idcard", "drivinglicense"] as const;
export type IdentityType = (typeof IDENTITY_TYPES)[number];

/** The fields of the photos; `backendPhoto` is the document's back. */
export const PHOTO_FIELDS = ["frontPhoto", "backendPhoto", "facePhoto"] as const;
export type PhotoField = (typeof PHOTO_FIELDS)[number];

/** Bytes, and pixels, of one photo. */
export const MAX_PHOTO_BYTES = 10 * 1024 * 1024;
export const MAX_PHOTO_PIXELS = 40_000_000;

/** Why a photo is refused, in ERR_VALIDATION's `data` under its field. */
export const PHOTO_PROBLEMS = ["missing", "size", "format", "pixels", "broken"] as const;
export type PhotoProblem = (typeof PHOTO_PROBLEMS)[number];

/** Why an operator refuses; texts for each are in `locales`. */
export const REJECT_REASONS = [
  "document_unreadable",
  "document_incomplete",
  "document_expired",
  "document_not_accepted",
  "details_differ",
  "face_differs",
  "face_unclear",
] as const;

/** spec §9: a document without an end. */
export const DEFAULT_EXPIRE_DATE = "2099-01-01";

/** A passport's second side holds nothing; the others' does. */
export const needsBackPhoto = (type: IdentityType): boolean => type !== "passport";

/** Letters of any script with what stands between them. */
const nameSchema = z
  .string()
  .check(
    z.trim(),
    z.minLength(1),
    z.maxLength(100),
    z.regex(/^\p{L}[\p{L}\p{M} .'’-]*$/u, "must have letters, spaces, dots, apostrophes and hyphens only"),
  );

const photoSchema = z.file({ error: "missing" }).check(z.minSize(1, "missing"), z.maxSize(MAX_PHOTO_BYTES, "size"));

/** Two letters of ISO 3166-1. */
const countrySchema = z.string().check(z.regex(/^[A-Z]{2}$/, "must be a country's two letters, such as DE"));

/** What is typed, without the photos. */
export const identitySchema = z.object({
  firstName: nameSchema,
  lastName: nameSchema,
  issueCountry: countrySchema,
  birthDate: z.iso.date(),
  expireDate: z._default(z.iso.date(), DEFAULT_EXPIRE_DATE),
  identityType: z.enum(IDENTITY_TYPES),
  identityNumber: z
    .string()
    .check(
      z.trim(),
      z.minLength(3),
      z.maxLength(40),
      z.regex(/^[\p{L}\p{N}][\p{L}\p{N} ./-]*$/u, "must have letters, digits, spaces, dots, slashes and hyphens only"),
    ),
});
export type Identity = z.infer<typeof identitySchema>;

/** The form (spec §3, verificationData), as `multipart/form-data`. */
export const submitVerificationBodySchema = z
  .extend(identitySchema, {
    facePhoto: photoSchema,
    frontPhoto: photoSchema,
    backendPhoto: z.optional(photoSchema),
  })
  .check(
    z.refine(({ identityType, backendPhoto }) => !needsBackPhoto(identityType) || backendPhoto !== undefined, {
      error: "missing",
      path: ["backendPhoto"],
    }),
  );
export type SubmitVerificationBody = z.output<typeof submitVerificationBodySchema>;

/** `rejectReason` is null unless the last check was refused. */
export const verificationStatusSchema = z.object({
  status: z.enum(KYC_STATUSES),
  rejectReason: z.nullable(z.string()),
});
export type VerificationStatus = z.infer<typeof verificationStatusSchema>;
