/**
 * How an order by card is made (spec §4, fiat flow): each event leads from one step to the next, and says what to do there. The
 * provider's tokens are no part of it: it can be saved, and a reload signs in at the provider anew.
 */
export type CardFlow =
  | { readonly step: "idle" }
  /** The register dialog is open. */
  | { readonly step: "signing-in" }
  /** The account has no email, as one of Telegram. */
  | { readonly step: "email-missing" }
  /** The provider knows the account's email, and the account has not proved to own it. */
  | { readonly step: "email-unconfirmed" }
  | Verification
  /** `isVerified`: the provider has said that its check is complete. */
  | { readonly step: "creating"; readonly isVerified: boolean }
  | { readonly step: "paying" }
  | { readonly step: "failed"; readonly reason: FlowFailure };

/** `polls` are the questions asked so far, lost ones included. */
export type Verification = {
  readonly step: VerificationStep;
  readonly polls: number;
  /** The provider has the documents and looks at them. */
  readonly isUnderReview: boolean;
};

export const VERIFICATION_STEPS = [
  "signing-up",
  "signing-in-at-provider",
  "confirming-email",
  "checking",
  "opening",
  "verifying",
] as const;
type VerificationStep = (typeof VERIFICATION_STEPS)[number];

type FlowFailure = "refused" | "time-out" | "kyc" | "order";

/** What the provider says of a feature's check. */
export type CheckStatus = "complete" | "incomplete" | "under-review" | "refused";

export type FlowEvent =
  | { readonly kind: "submitted" | "signed-in"; readonly account: FlowAccount | null; readonly needsCheck: boolean }
  | { readonly kind: "sign-in-left" | "closed" }
  /** Also where the email was registered at the provider before. */
  | { readonly kind: "signed-up" | "signed-in-at-provider" | "window-opened" }
  | { readonly kind: "contacts"; readonly isConfirmed: boolean }
  | { readonly kind: "status"; readonly status: CheckStatus }
  | { readonly kind: "created" | "kyc-needed" | "email-unconfirmed" }
  /** `isNamed`: the form itself shows what is wrong, or asks on for the same order. */
  | { readonly kind: "not-created"; readonly isNamed: boolean }
  /** `token-ended`: the provider's token is good no more. */
  | { readonly kind: "unreachable" | "call-failed" | "token-ended" }
  | { readonly kind: "resumed"; readonly saved: CardFlow; readonly account: FlowAccount | null };

export type FlowAccount = { readonly email: string | null };

/** What the page does next; a question to the provider may wait. */
export type FlowEffect =
  | { readonly kind: "ask-sign-in" | "create" | "open-payment" }
  | { readonly kind: ProviderCall; readonly afterMs: number }
  | { readonly kind: "notify"; readonly error: FlowError };

export type ProviderCall = "sign-up" | "sign-in" | "ask-contacts" | "ask-status" | "ask-access-token";
/** Keys of the namespace `card` under `error`; spec §8 names the first two. */
export type FlowError = "error_kyc_flow" | "error_create_order_unknwon" | "error_time_out";

/**
 * spec §9
 * @internal
 */
export const POLL_MS = 5_000;
/**
 * spec §9
 * @internal
 */
export const MAX_POLLS = 1_000;

type Next = { readonly flow: CardFlow; readonly effects: readonly FlowEffect[] };

const IDLE: CardFlow = { step: "idle" };

/** The next step. An event that its step does not wait for, such as an answer that comes after the window was closed, changes nothing. */
export function nextStep(flow: CardFlow, event: FlowEvent): Next {
  switch (event.kind) {
    case "submitted":
      return isBusy(flow) ? stay(flow) : begin(event);
    case "signed-in":
      return flow.step === "signing-in" ? begin(event) : stay(flow);
    case "sign-in-left":
      return flow.step === "signing-in" ? stay(IDLE) : stay(flow);
    case "closed":
      return isVerification(flow) ? stay(IDLE) : stay(flow);
    case "resumed":
      return flow.step === "idle" ? resume(event) : stay(flow);
    case "created":
      return flow.step === "creating" ? go({ step: "paying" }, { kind: "open-payment" }) : stay(flow);
    case "kyc-needed":
      if (flow.step !== "creating") return stay(flow);
      // What was found complete and is asked for again would be asked for without end.
      return flow.isVerified ? fail("kyc") : enter("signing-up", 0);
    case "email-unconfirmed":
      return flow.step === "creating" || isVerification(flow) ? stay({ step: "email-unconfirmed" }) : stay(flow);
    case "not-created":
      if (flow.step !== "creating") return stay(flow);
      return event.isNamed ? stay(IDLE) : fail("order");
    default:
      return isVerification(flow) ? verify(flow, event) : stay(flow);
  }
}

const isBusy = (flow: CardFlow): boolean => flow.step === "creating" || flow.step === "paying" || isVerification(flow);

const STEPS: ReadonlySet<string> = new Set(VERIFICATION_STEPS);
export const isVerification = (flow: CardFlow): flow is Verification => STEPS.has(flow.step);

function begin({ account, needsCheck }: Extract<FlowEvent, { kind: "submitted" | "signed-in" }>): Next {
  if (account === null) return go({ step: "signing-in" }, { kind: "ask-sign-in" });
  if (account.email === null) return stay({ step: "email-missing" });
  return needsCheck ? enter("signing-up", 0) : create(false);
}

/** After a reload nothing is begun that had not begun before it, and an order is asked for only after a check that is complete. */
function resume({ saved, account }: Extract<FlowEvent, { kind: "resumed" }>): Next {
  if (account?.email == null) return stay(IDLE);
  if (isVerification(saved)) {
    const { step, polls } = saved;
    return enter(step === "signing-up" ? "signing-up" : "signing-in-at-provider", polls);
  }
  return saved.step === "creating" && saved.isVerified ? enter("signing-in-at-provider", 0) : stay(IDLE);
}

/** The question of each step. */
const CALLS: Record<VerificationStep, ProviderCall> = {
  "signing-up": "sign-up",
  "signing-in-at-provider": "sign-in",
  "confirming-email": "ask-contacts",
  checking: "ask-status",
  opening: "ask-access-token",
  verifying: "ask-status",
};

type VerificationEvent = Exclude<
  FlowEvent,
  {
    kind:
      | "submitted"
      | "signed-in"
      | "sign-in-left"
      | "closed"
      | "created"
      | "kyc-needed"
      | "email-unconfirmed"
      | "not-created"
      | "resumed";
  }
>;

function verify(flow: Verification, event: VerificationEvent): Next {
  const { step, polls } = flow;
  switch (event.kind) {
    case "call-failed":
      return fail("kyc");
    case "unreachable":
      return poll(flow);
    case "token-ended":
      // Counted: a token that is never good would be asked for without end.
      return polls + 1 < MAX_POLLS ? enter("signing-in-at-provider", polls + 1) : fail("time-out");
    case "signed-up":
      return step === "signing-up" ? enter("signing-in-at-provider", polls) : stay(flow);
    case "signed-in-at-provider":
      return step === "signing-in-at-provider" ? enter("confirming-email", polls) : stay(flow);
    case "contacts":
      if (step !== "confirming-email") return stay(flow);
      return event.isConfirmed ? enter("checking", 0) : poll(flow);
    case "window-opened":
      return step === "opening" ? enter("verifying", polls, POLL_MS) : stay(flow);
    case "status":
      return step === "checking" || step === "verifying" ? judge(flow, event.status) : stay(flow);
  }
}

function judge(flow: Verification, status: CheckStatus): Next {
  if (status === "complete") return create(true);
  if (status === "refused") return fail("refused");
  const isUnderReview = status === "under-review";
  // Documents that are looked at are not asked for once more.
  if (flow.step === "checking" && !isUnderReview) return enter("opening", flow.polls);
  return poll({ ...flow, step: "verifying", isUnderReview });
}

/** Asks the same once more, up to the limit (spec §9). */
function poll(flow: Verification): Next {
  const polls = flow.polls + 1;
  if (polls >= MAX_POLLS) return fail("time-out");
  return go({ ...flow, polls }, { kind: CALLS[flow.step], afterMs: POLL_MS });
}

const enter = (step: VerificationStep, polls: number, afterMs = 0): Next =>
  go({ step, polls, isUnderReview: false }, { kind: CALLS[step], afterMs });

const create = (isVerified: boolean): Next => go({ step: "creating", isVerified }, { kind: "create" });

const ERRORS: Record<FlowFailure, FlowError> = {
  refused: "error_kyc_flow",
  kyc: "error_kyc_flow",
  "time-out": "error_time_out",
  order: "error_create_order_unknwon",
};

const fail = (reason: FlowFailure): Next => go({ step: "failed", reason }, { kind: "notify", error: ERRORS[reason] });

const go = (flow: CardFlow, effect: FlowEffect): Next => ({ flow, effects: [effect] });
const stay = (flow: CardFlow): Next => ({ flow, effects: [] });
