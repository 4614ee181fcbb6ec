import { describe, expect, it } from "vitest";
import { type CardFlow, type FlowEvent, MAX_POLLS, nextStep, POLL_MS, VERIFICATION_STEPS } from "./card-flow.ts";

const ANN = { email: "ann@mail.example" };
const submitted = (account: { email: string | null } | null, needsCheck: boolean): FlowEvent => ({
  kind: "submitted",
  account,
  needsCheck,
});
const at = (step: (typeof VERIFICATION_STEPS)[number], polls = 0, isUnderReview = false): CardFlow => ({
  step,
  polls,
  isUnderReview,
});
const IDLE: CardFlow = { step: "idle" };
const CREATING: CardFlow = { step: "creating", isVerified: false };
const VERIFIED: CardFlow = { step: "creating", isVerified: true };
const failed = (reason: "refused" | "time-out" | "kyc" | "order"): CardFlow => ({ step: "failed", reason });
const status = (is: "complete" | "incomplete" | "under-review" | "refused"): FlowEvent => ({
  kind: "status",
  status: is,
});
const contacts = (isConfirmed: boolean): FlowEvent => ({ kind: "contacts", isConfirmed });
const resumed = (saved: CardFlow, account: { email: string | null } | null = ANN): FlowEvent => ({
  kind: "resumed",
  saved,
  account,
});

/** From a step by an event to the next one, and what is done there: `name` at once, `name 5000` after so many milliseconds. */
const TABLE: readonly [CardFlow, FlowEvent, CardFlow, ...string[]][] = [
  [IDLE, submitted(null, false), { step: "signing-in" }, "ask-sign-in"],
  [IDLE, submitted({ email: null }, true), { step: "email-missing" }],
  [IDLE, submitted(ANN, false), CREATING, "create"],
  [IDLE, submitted(ANN, true), at("signing-up"), "sign-up"],
  [{ step: "email-missing" }, submitted(ANN, false), CREATING, "create"],
  [failed("kyc"), submitted(ANN, true), at("signing-up"), "sign-up"],
  // The dialog was closed by what the page can't see: the next press opens it again.
  [{ step: "signing-in" }, submitted(null, false), { step: "signing-in" }, "ask-sign-in"],
  [{ step: "signing-in" }, { ...submitted(ANN, false), kind: "signed-in" } as FlowEvent, CREATING, "create"],
  [{ step: "signing-in" }, { ...submitted(ANN, true), kind: "signed-in" } as FlowEvent, at("signing-up"), "sign-up"],
  [{ step: "signing-in" }, { kind: "sign-in-left" }, IDLE],
  // Somebody who signs in elsewhere on the page has asked for no order.
  [IDLE, { ...submitted(ANN, false), kind: "signed-in" } as FlowEvent, IDLE],

  [at("signing-up"), { kind: "signed-up" }, at("signing-in-at-provider"), "sign-in"],
  [at("signing-in-at-provider"), { kind: "signed-in-at-provider" }, at("confirming-email"), "ask-contacts"],
  [at("confirming-email", 3), contacts(false), at("confirming-email", 4), `ask-contacts ${POLL_MS}`],
  [at("confirming-email", 3), contacts(true), at("checking"), "ask-status"],
  [at("checking"), status("complete"), VERIFIED, "create"],
  [at("checking"), status("incomplete"), at("opening"), "ask-access-token"],
  [at("checking"), status("under-review"), at("verifying", 1, true), `ask-status ${POLL_MS}`],
  [at("checking"), status("refused"), failed("refused"), "notify error_kyc_flow"],
  [at("opening"), { kind: "window-opened" }, at("verifying"), `ask-status ${POLL_MS}`],
  [at("verifying", 8), status("incomplete"), at("verifying", 9), `ask-status ${POLL_MS}`],
  [at("verifying", 8), status("under-review"), at("verifying", 9, true), `ask-status ${POLL_MS}`],
  [at("verifying", 8), status("complete"), VERIFIED, "create"],
  [at("verifying", 8), status("refused"), failed("refused"), "notify error_kyc_flow"],

  [CREATING, { kind: "created" }, { step: "paying" }, "open-payment"],
  [CREATING, { kind: "kyc-needed" }, at("signing-up"), "sign-up"],
  [VERIFIED, { kind: "kyc-needed" }, failed("kyc"), "notify error_kyc_flow"],
  [CREATING, { kind: "email-unconfirmed" }, { step: "email-unconfirmed" }],
  [at("signing-in-at-provider"), { kind: "email-unconfirmed" }, { step: "email-unconfirmed" }],
  [{ step: "email-unconfirmed" }, submitted(ANN, false), CREATING, "create"],
  [CREATING, { kind: "not-created", isNamed: false }, failed("order"), "notify error_create_order_unknwon"],
  [VERIFIED, { kind: "not-created", isNamed: false }, failed("order"), "notify error_create_order_unknwon"],
  [CREATING, { kind: "not-created", isNamed: true }, IDLE],

  // A lost connection asks the same again, and 1,000 questions are the end of it.
  [at("signing-up", 2), { kind: "unreachable" }, at("signing-up", 3), `sign-up ${POLL_MS}`],
  [at("signing-in-at-provider"), { kind: "unreachable" }, at("signing-in-at-provider", 1), `sign-in ${POLL_MS}`],
  [at("opening"), { kind: "unreachable" }, at("opening", 1), `ask-access-token ${POLL_MS}`],
  [at("verifying", 5, true), { kind: "unreachable" }, at("verifying", 6, true), `ask-status ${POLL_MS}`],
  [
    at("confirming-email", MAX_POLLS - 2),
    contacts(false),
    at("confirming-email", MAX_POLLS - 1),
    `ask-contacts ${POLL_MS}`,
  ],
  [at("confirming-email", MAX_POLLS - 1), contacts(false), failed("time-out"), "notify error_time_out"],
  [at("verifying", MAX_POLLS - 1), status("incomplete"), failed("time-out"), "notify error_time_out"],
  [at("verifying", MAX_POLLS - 1), { kind: "unreachable" }, failed("time-out"), "notify error_time_out"],
  [at("verifying", MAX_POLLS - 1), status("complete"), VERIFIED, "create"],

  [at("verifying", 6), { kind: "token-ended" }, at("signing-in-at-provider", 7), "sign-in"],
  [at("confirming-email", MAX_POLLS - 1), { kind: "token-ended" }, failed("time-out"), "notify error_time_out"],

  // A reload has lost the provider's token: it signs in again, and nothing else is begun anew.
  [IDLE, resumed(at("signing-up")), at("signing-up"), "sign-up"],
  [IDLE, resumed(at("signing-in-at-provider")), at("signing-in-at-provider"), "sign-in"],
  [IDLE, resumed(at("confirming-email", 7)), at("signing-in-at-provider", 7), "sign-in"],
  [IDLE, resumed(at("checking")), at("signing-in-at-provider"), "sign-in"],
  [IDLE, resumed(at("opening", 2)), at("signing-in-at-provider", 2), "sign-in"],
  [IDLE, resumed(at("verifying", 40, true)), at("signing-in-at-provider", 40), "sign-in"],
  [IDLE, resumed(VERIFIED), at("signing-in-at-provider"), "sign-in"],
  [IDLE, resumed(CREATING), IDLE],
  [IDLE, resumed({ step: "signing-in" }), IDLE],
  [IDLE, resumed({ step: "paying" }), IDLE],
  [IDLE, resumed(failed("kyc")), IDLE],
  [IDLE, resumed(at("verifying"), null), IDLE],
  [IDLE, resumed(at("verifying"), { email: null }), IDLE],
  [CREATING, resumed(at("verifying")), CREATING],
];

const nameOf = ({ kind, ...rest }: { kind: string }): string =>
  [kind, ...Object.values(rest).filter((value) => value !== 0)].join(" ");

describe("the flow of a card order", () => {
  it.each(TABLE)("%j by %j is %j", (flow, event, next, ...effects) => {
    const found = nextStep(flow, event);
    expect(found.flow).toEqual(next);
    expect(found.effects.map(nameOf)).toEqual(effects);
  });

  it.each(VERIFICATION_STEPS)(
    "any failure at %s is said and ends it, and closing the window ends it in silence",
    (step) => {
      const failure = nextStep(at(step), { kind: "call-failed" });
      expect(failure).toEqual({ flow: failed("kyc"), effects: [{ kind: "notify", error: "error_kyc_flow" }] });
      expect(nextStep(at(step), { kind: "closed" })).toEqual({ flow: IDLE, effects: [] });
    },
  );

  const LATE: readonly FlowEvent[] = [
    { kind: "signed-up" },
    { kind: "signed-in-at-provider" },
    { kind: "window-opened" },
    { kind: "created" },
    { kind: "kyc-needed" },
    { kind: "email-unconfirmed" },
    { kind: "not-created", isNamed: false },
    { kind: "unreachable" },
    { kind: "call-failed" },
    contacts(true),
    status("complete"),
    status("refused"),
  ];

  it.each(LATE)("an answer that comes when nobody waits for it changes nothing: %j", (event) => {
    for (const flow of [IDLE, failed("kyc"), { step: "paying" } as const])
      expect(nextStep(flow, event)).toEqual({ flow, effects: [] });
  });

  it("asks for one order alone: while one is made or paid, a press and a verdict ask for none", () => {
    for (const flow of [CREATING, VERIFIED, { step: "paying" } as const])
      for (const event of [
        submitted(ANN, false),
        submitted(ANN, true),
        status("complete"),
        { kind: "closed" } as const,
      ])
        expect(nextStep(flow, event)).toEqual({ flow, effects: [] });
    for (const step of VERIFICATION_STEPS)
      expect(nextStep(at(step), submitted(ANN, false))).toEqual({ flow: at(step), effects: [] });
  });
});
