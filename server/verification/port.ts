import type { Identity, SubmitVerificationBody, VerificationStatus } from "#contract/accounts/verification.ts";
import type { SignedIn } from "../base/routes.ts";

/** The photos of a check, as they are stored. */
export const PHOTO_KINDS = ["front", "back", "face"] as const;
export type PhotoKind = (typeof PHOTO_KINDS)[number];

/** A check as its owner may export it, without the photos. */
type ExportedVerification = {
  status: string;
  rejectReason: string | null;
  createdAt: string;
  decidedAt: string | null;
  /** `unreadable`: sealed with a key that is lost. Both others have no form. */
  documents: "readable" | "unreadable" | "deleted";
  form: Identity | null;
  /** Those that are stored. */
  photos: PhotoKind[];
};

/** What HTTP may ask of verification. Failures are CodedError. */
export type Verification = {
  /** Of the newest check; NOT_STARTED without one (spec §4). */
  status(userId: bigint): Promise<VerificationStatus>;
  /**
   * Takes a form, which `read` reads and parses: only then do its files arrive. ERR_UNPROCESSABLE_ENTITY while a check runs or has
   * passed, ERR_VALIDATION `{ facePhoto: PhotoProblem }`, 429 after too many tries a day, ERR_SERVICE_UNAVAILABLE where no turn came in time.
   * `client` names whose turn it takes.
   */
  submit(by: SignedIn, client: string, read: () => Promise<SubmitVerificationBody>): Promise<VerificationStatus>;
  /** Every check, the oldest first. */
  exportOf(userId: bigint): Promise<ExportedVerification[]>;
};
