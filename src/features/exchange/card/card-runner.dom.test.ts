import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EMAIL_NOT_CONFIRMED } from "#contract/card.ts";
import { proxy } from "valtio";
import { call } from "../../../shared/http/http.ts";
import type { CardFlow, FlowError } from "../model/card-flow.ts";
import { POLL_MS } from "../model/card-flow.ts";
import { type CardActions, type CardCreation, type CardRunner, createCardRunner } from "./card-runner.ts";

const TOKEN = "bearer-of-ann";
const ROOT = "/api/v1/liquidity-providers/mercuryo/";

type Answer = { status: number; body: unknown };
const ok = (body: unknown): Answer => ({ status: 200, body });
const refusal = (status: number, code: string, message = code): Answer => ({
  status,
  body: { status: code, message, traceId: "t" },
});
const LOST = "lost";

/** The provider behind our service: each path answers what stands for it, the last one again and again. */
class Provider {
  readonly asked: string[] = [];
  readonly urls: string[] = [];
  readonly tokens: (string | null)[] = [];
  answers: Record<string, (Answer | typeof LOST)[]> = {
    "user/sign-up": [ok({})],
    "user/sign-in": [ok({ bearerToken: TOKEN })],
    "user/contacts": [ok({ emailStatus: "confirmed" })],
    "user/kyc-status": [ok({ features: [{ feature: "crypto", status: "complete" }] })],
    "kyc/access-token": [
      ok({ kycAccessToken: "kyc", applicantId: null, verificationUrl: "https://provider.example/kyc?t=kyc" }),
    ],
  };

  readonly fetch = async (request: Request): Promise<Response> => {
    const name = new URL(request.url).pathname.replace(ROOT, "");
    this.asked.push(name);
    this.urls.push(request.url);
    this.tokens.push(request.headers.get("x-mercuryo-bearer-token"));
    const answers = this.answers[name] ?? [];
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined || answer === LOST) throw new TypeError("Failed to fetch");
    return Response.json(answer.body, { status: answer.status });
  };
}

const kyc = (status: string): Answer =>
  ok({
    features: [
      { feature: "iban", status: "complete" },
      { feature: "crypto", status },
    ],
  });

let provider: Provider;
let card: { flow: CardFlow; verificationUrl: string | null; isUnreachable: boolean };
let saved: CardFlow[];
let errors: FlowError[];
let creations: CardCreation[];
let created: number;
let paid: number;
let account: { email: string | null } | null;
let signsIn: boolean;
let runner: CardRunner;

const actions: CardActions = {
  begin: async () => ({ account, needsCheck: true }),
  askSignIn: async () => {
    if (signsIn) account = { email: "ann@mail.example" };
    return signsIn;
  },
  create: async () => {
    created += 1;
    return creations.shift() ?? { kind: "created" };
  },
  openPayment: () => {
    paid += 1;
  },
  notify: (error) => void errors.push(error),
  save: (flow) => void saved.push(structuredClone({ ...flow })),
};

/** Lets what is under way be answered. */
const settle = () => vi.advanceTimersByTimeAsync(50);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const look = (state: "visible" | "hidden") => {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
};

beforeEach(async () => {
  // The client loads itself with a first call, which fake timers would not wait for.
  vi.stubGlobal("fetch", new Provider().fetch);
  await call("cardSignUp", { body: { accept: true } });
  vi.useFakeTimers();
  provider = new Provider();
  vi.stubGlobal("fetch", provider.fetch);
  card = proxy({ flow: { step: "idle" }, verificationUrl: null, isUnreachable: false });
  [saved, errors, creations, created, paid, account, signsIn] = [[], [], [], 0, 0, { email: "ann@mail.example" }, true];
  runner = createCardRunner(card, actions);
});
afterEach(() => {
  runner.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("the runner of a card order", () => {
  it("goes from the sign-in to the payment with one order, and shows the provider's token to nobody", async () => {
    account = null;
    provider.answers["user/contacts"] = [ok({ emailStatus: "not_confirmed" }), ok({ emailStatus: "confirmed" })];
    provider.answers["user/kyc-status"] = [kyc("incomplete"), kyc("under_review"), kyc("complete")];
    await runner.submit(false);
    await settle();
    expect(card.flow).toMatchObject({ step: "confirming-email" });
    await pass(POLL_MS);
    expect(card.flow).toMatchObject({ step: "verifying" });
    expect(card.verificationUrl).toBe("https://provider.example/kyc?t=kyc");
    await pass(2 * POLL_MS + 100);
    expect(provider.asked).toEqual([
      "user/sign-up",
      "user/sign-in",
      "user/contacts",
      "user/contacts",
      "user/kyc-status",
      "kyc/access-token",
      "user/kyc-status",
      "user/kyc-status",
    ]);
    expect([card.flow.step, created, paid, errors]).toEqual(["paying", 1, 1, []]);
    expect(provider.tokens).toEqual([null, null, ...Array.from({ length: 6 }, () => TOKEN)]);
    expect(provider.urls.join()).not.toContain(TOKEN);
    expect(JSON.stringify([saved, card])).not.toContain(TOKEN);
    expect(card.verificationUrl).toBeNull();
  });

  it("tolerates an email that the provider knows", async () => {
    provider.answers["user/sign-up"] = [refusal(409, "ERR_USER_ALREADY_REGISTERED")];
    await runner.submit(false);
    await settle();
    expect([card.flow.step, created, errors]).toEqual(["paying", 1, []]);
  });

  it.each([
    ["sign-up", "user/sign-up"],
    ["sign-in", "user/sign-in"],
    ["the access token", "kyc/access-token"],
  ])("says that the check failed where %s is refused", async (_, path) => {
    provider.answers["user/kyc-status"] = [kyc("incomplete")];
    provider.answers[path] = [refusal(503, "ERR_SERVICE_UNAVAILABLE")];
    await runner.submit(false);
    await pass(2_000);
    expect([card.flow, created, errors]).toEqual([{ step: "failed", reason: "kyc" }, 0, ["error_kyc_flow"]]);
  });

  it("asks for the proof of an email that somebody else may have at the provider", async () => {
    provider.answers["user/sign-in"] = [refusal(403, "ERR_FORBIDDEN", EMAIL_NOT_CONFIRMED)];
    await runner.submit(false);
    await settle();
    expect([card.flow, created, errors]).toEqual([{ step: "email-unconfirmed" }, 0, []]);
  });

  it("says so where the identity is refused", async () => {
    provider.answers["user/kyc-status"] = [kyc("incomplete"), kyc("failed")];
    await runner.submit(false);
    await pass(POLL_MS + 100);
    expect([card.flow, created, errors]).toEqual([{ step: "failed", reason: "refused" }, 0, ["error_kyc_flow"]]);
  });

  it("asks again after a lost connection and a provider that is down, and says meanwhile that it has none", async () => {
    provider.answers["user/kyc-status"] = [kyc("incomplete"), LOST, LOST, kyc("complete")];
    await runner.submit(false);
    await pass(POLL_MS + 2_000);
    expect([card.flow.step, card.isUnreachable]).toEqual(["verifying", true]);
    await pass(POLL_MS + 2_000);
    expect([card.flow.step, card.isUnreachable, created]).toEqual(["paying", false, 1]);
  });

  it("asks nothing while the page is hidden, and at once when it is seen again", async () => {
    provider.answers["user/kyc-status"] = [kyc("incomplete"), kyc("complete")];
    await runner.submit(false);
    await settle();
    look("hidden");
    await pass(10 * POLL_MS);
    expect(provider.asked.at(-1)).toBe("kyc/access-token");
    look("visible");
    await settle();
    expect([provider.asked.at(-1), created]).toEqual(["user/kyc-status", 1]);
  });

  it("asks for no order once its window was closed, whatever answer is under way", async () => {
    provider.answers["user/kyc-status"] = [kyc("incomplete"), kyc("complete")];
    await runner.submit(false);
    await settle();
    runner.close();
    await pass(3 * POLL_MS);
    expect([card.flow.step, card.verificationUrl, created, errors]).toEqual(["idle", null, 0, []]);
    await runner.submit(false);
    await settle();
    expect([card.flow.step, created]).toEqual(["paying", 1]);
  });

  it("goes on after a reload by signing in at the provider anew", async () => {
    await runner.resume({ step: "verifying", polls: 12, isUnderReview: true });
    await settle();
    expect(provider.asked).toEqual(["user/sign-in", "user/contacts", "user/kyc-status"]);
    expect([card.flow.step, created]).toEqual(["paying", 1]);
  });

  it("makes no order of a dialog that was left without a sign-in", async () => {
    [account, signsIn] = [null, false];
    await runner.submit(false);
    await settle();
    expect([card.flow.step, created, provider.asked]).toEqual(["idle", 0, []]);
  });

  it("signs in at the provider again where the token has ended", async () => {
    provider.answers["user/kyc-status"] = [
      kyc("incomplete"),
      refusal(422, "ERR_UNPROCESSABLE_ENTITY"),
      kyc("complete"),
    ];
    await runner.submit(false);
    await pass(POLL_MS + 100);
    expect(provider.asked.slice(-4)).toEqual(["user/kyc-status", "user/sign-in", "user/contacts", "user/kyc-status"]);
    expect([card.flow.step, created, errors]).toEqual(["paying", 1, []]);
  });

  it("begins the check where the service asks for it, and never asks for an order without end", async () => {
    creations = [{ kind: "kyc-needed" }, { kind: "kyc-needed" }];
    await runner.resume({ step: "creating", isVerified: true });
    await settle();
    expect([card.flow, created, errors]).toEqual([{ step: "failed", reason: "kyc" }, 1, ["error_kyc_flow"]]);
  });

  it("asks nothing after its page was left", async () => {
    provider.answers["user/kyc-status"] = [kyc("incomplete")];
    await runner.submit(false);
    await settle();
    const { length } = provider.asked;
    runner.stop();
    await pass(5 * POLL_MS);
    expect(provider.asked).toHaveLength(length);
  });
});
