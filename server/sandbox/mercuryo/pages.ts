import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { escapeMarkup } from "#contract/site/escape-markup.ts";
import { formatAmount } from "#contract/money.ts";
import { SANDBOX_PROVIDER_PATH } from "./api.ts";
import type { SandboxProvider } from "./provider.ts";
import type { SandboxTransaction } from "./store.ts";

/** Test cards as Mercuryo's documents name them: this code is refused by the bank, every other is taken. */
const REFUSED_CVV = "555";
/** What the bank's page of the sandbox asks for. */
const BANK_CODE = "123456";

type Fields = Readonly<Record<string, string>>;
type Page = { title: string; body: string };

/** The pages of the sandbox's card provider: checkout, 3-D Secure, confirmation of an email, verification, and what follows each. */
export async function addSandboxProviderPages(app: FastifyInstance, provider: SandboxProvider): Promise<void> {
  const { store } = provider;
  const send = (request: FastifyRequest, reply: FastifyReply, { title, body }: Page, status = 200) => {
    const { cspNonce } = request;
    return reply
      .code(status)
      .type("text/html; charset=utf-8")
      .header("content-security-policy", policy(cspNonce))
      .header("cache-control", "no-store")
      .header("referrer-policy", "same-origin")
      .send(layout(cspNonce, title, body));
  };
  const unknown: Page = { title: "Link not valid", body: "<p>This link is not valid any more.</p>" };

  await app.register(async (scope) => {
    scope.addContentTypeParser<string>(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
    );
    const page = (method: "GET" | "POST", path: string, handler: (given: Fields) => Promise<Page>) =>
      scope.route({
        method,
        url: `${SANDBOX_PROVIDER_PATH}/${path}`,
        config: { isUncounted: true },
        schema: { hide: true },
        handler: async (request, reply) => {
          const given = { ...textsOf(request.query), ...textsOf(request.body) };
          const made = await handler(given);
          return send(request, reply, made, made === unknown ? 404 : 200);
        },
      });

    const transactionOf = async ({ init_token = "" }: Fields) => store.byInitToken(init_token);

    page("GET", "buy", async (given) => {
      const found = await transactionOf(given);
      if (found === null) return unknown;
      return found.state === "opened" ? checkout(found, amounts(found)) : result(found);
    });
    page("POST", "buy", async (given) => {
      const found = await transactionOf(given);
      if (found === null) return unknown;
      if (found.state !== "opened") return result(found);
      if (given["cvv"] !== REFUSED_CVV) return bank(found);
      await provider.move(found, "failed");
      return result({ ...found, state: "failed" });
    });
    page("POST", "3ds", async (given) => {
      const found = await transactionOf(given);
      if (found === null) return unknown;
      if (found.state !== "opened") return result(found);
      if (given["action"] === "cancel") {
        await provider.move(found, "cancelled");
        return result({ ...found, state: "cancelled" });
      }
      if ((given["code"] ?? "").trim() !== BANK_CODE) return bank(found, "This code is wrong. Try again.");
      await provider.goOn(found, "paid");
      return result({ ...found, state: "paid" });
    });
    page("GET", "sell", async (given) => {
      const found = await transactionOf(given);
      if (found === null) return unknown;
      return found.state === "opened" ? payoutCard(found, amounts(found)) : result(found);
    });
    page("POST", "sell", async (given) => {
      const found = await transactionOf(given);
      if (found === null) return unknown;
      if (found.state !== "opened") return result(found);
      if (given["action"] !== "cancel") return sendCoins(found, amounts(found));
      await provider.move(found, "cancelled");
      return result({ ...found, state: "cancelled" });
    });

    page("GET", "email", async ({ token = "" }) => {
      const user = await store.userByEmailToken(token);
      if (user === null) return unknown;
      return user.isEmailConfirmed ? EMAIL_CONFIRMED : emailPage(token, user.email);
    });
    page("POST", "email", async ({ token = "" }) => {
      const user = await store.userByEmailToken(token);
      if (user === null) return unknown;
      await store.confirmEmail(user.email);
      return EMAIL_CONFIRMED;
    });

    page("GET", "kyc", async ({ access_token: token = "" }) => {
      const user = await store.userByKycToken(token);
      if (user === null) return unknown;
      return user.kycStatus === "complete" ? KYC_PASSED : kycPage(token);
    });
    page("POST", "kyc", async ({ access_token: token = "", action }) => {
      const user = await store.userByKycToken(token);
      if (user === null) return unknown;
      const status = action === "fail" ? "failed" : action === "wait" ? "under_review" : "complete";
      await store.endKyc(user.email, status);
      return status === "complete" ? KYC_PASSED : status === "failed" ? KYC_FAILED : KYC_WAITS;
    });
  });

  function amounts({ slug, fiat, coinAmount, fiatAmount }: SandboxTransaction): { coins: string; money: string } {
    const text = (name: string, amount: bigint) => {
      const instrument = provider.catalogue.instruments.get(name);
      return `${formatAmount(amount, instrument?.decimals ?? 0)} ${instrument?.currencyTitle ?? name}`;
    };
    return { coins: text(slug, coinAmount), money: text(fiat, fiatAmount) };
  }
}

const textsOf = (given: unknown): Fields =>
  Object.fromEntries(
    Object.entries(given ?? {}).flatMap(([name, value]: [string, unknown]) =>
      // No text of ours has a NUL, and PostgreSQL takes none.
      typeof value === "string" && !value.includes("\0") ? [[name, value]] : [],
    ),
  );

const form = (path: string, hidden: Fields, body: string): string =>
  `<form method="post" action="${SANDBOX_PROVIDER_PATH}/${path}">${Object.entries(hidden)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeMarkup(value)}">`)
    .join("")}${body}</form>`;
const field = (label: string, name: string, value: string): string =>
  `<p><label>${label}<br><input name="${name}" value="${escapeMarkup(value)}" autocomplete="off" required></label></p>`;
const tokenOf = ({ initToken }: SandboxTransaction): Fields => ({ init_token: initToken });

const checkout = (transaction: SandboxTransaction, { coins, money }: { coins: string; money: string }): Page => ({
  title: "Pay by card",
  body: `<p>You pay <strong>${escapeMarkup(money)}</strong> and get <strong>${escapeMarkup(coins)}</strong>.</p>
<p class="code">${escapeMarkup(transaction.address)}</p>
${form("buy", tokenOf(transaction), `${field("Card number", "number", "4444 4444 4444 3333")}${field("Expires", "expires", "12/30")}${field("CVV (555 is refused)", "cvv", "123")}<button>Pay ${escapeMarkup(money)}</button>`)}`,
});

const bank = (transaction: SandboxTransaction, problem = ""): Page => ({
  title: "3-D Secure",
  body: `${problem === "" ? "" : `<p role="alert">${problem}</p>`}<p>Your bank asks for the code that it sent you. In the sandbox it is ${BANK_CODE}.</p>
${form("3ds", tokenOf(transaction), `${field("Code", "code", "")}<button name="action" value="confirm">Confirm</button>`)}
${form("3ds", { ...tokenOf(transaction), action: "cancel" }, '<button class="quiet">Cancel the payment</button>')}`,
});

const payoutCard = (transaction: SandboxTransaction, { coins, money }: { coins: string; money: string }): Page => ({
  title: "Sell to a card",
  body: `<p>You send <strong>${escapeMarkup(coins)}</strong> and get <strong>${escapeMarkup(money)}</strong> on your card.</p>
${form("sell", tokenOf(transaction), `${field("Card number", "number", "4444 4444 4444 3333")}<button name="action" value="confirm">Use this card</button>`)}
${form("sell", { ...tokenOf(transaction), action: "cancel" }, '<button class="quiet">Cancel the sale</button>')}`,
});

const sendCoins = (transaction: SandboxTransaction, { coins }: { coins: string }): Page => ({
  title: "Send your coins",
  body: `<p>Your card is saved. Now send <strong>${escapeMarkup(coins)}</strong> to this address:</p><p class="code">${escapeMarkup(transaction.address)}</p>${
    transaction.memo === null ? "" : `<p>Memo: <span class="code">${escapeMarkup(transaction.memo)}</span></p>`
  }${back(transaction)}`,
});

const RESULTS: Readonly<Record<SandboxTransaction["state"], readonly [string, string]>> = {
  opened: ["Not paid", "Nothing was paid yet."],
  paid: ["Payment received", "Thank you. The coins are sent after a short check."],
  sending: ["Payment received", "The payment was checked and is being sent."],
  done: ["Done", "The order is complete."],
  cancelled: ["Cancelled", "The payment was cancelled. Nothing was charged."],
  failed: ["Card refused", "The bank refused the card. Nothing was charged."],
  refunded: ["Refunded", "The money was returned."],
};

const result = (transaction: SandboxTransaction): Page => {
  const [title, text] = RESULTS[transaction.state];
  return { title, body: `<p role="status">${text}</p>${back(transaction)}` };
};
/** Out of a frame too. */
const back = ({ returnUrl }: SandboxTransaction): string =>
  `<p><a href="${escapeMarkup(returnUrl)}" target="_top">Back to your order</a></p>`;

const emailPage = (token: string, email: string): Page => ({
  title: "Confirm your email",
  body: `<p>${escapeMarkup(email)}</p>${form("email", { token }, "<button>Confirm email</button>")}`,
});
const EMAIL_CONFIRMED: Page = { title: "Email confirmed", body: '<p role="status">You can close this page.</p>' };

const kycPage = (token: string): Page => ({
  title: "Identity check",
  body: `<p>A document and a selfie would be taken here.</p>${form("kyc", { access_token: token, action: "pass" }, "<button>Pass the check</button>")}
${form("kyc", { access_token: token, action: "wait" }, '<button class="quiet">Leave it under review</button>')}
${form("kyc", { access_token: token, action: "fail" }, '<button class="quiet">Fail the check</button>')}`,
});
const KYC_PASSED: Page = { title: "Identity confirmed", body: '<p role="status">You can close this page.</p>' };
const KYC_FAILED: Page = { title: "Check failed", body: '<p role="status">Your identity could not be confirmed.</p>' };
const KYC_WAITS: Page = { title: "Under review", body: '<p role="status">The result takes a few minutes.</p>' };

/** Our own pages may frame them, as the provider's own would be. */
const policy = (nonce: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self' https://web.telegram.org`;

const layout = (nonce: string, title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Mercuryo (sandbox)</title>
<style nonce="${nonce}">
body { max-width: 26rem; margin: 0 auto; padding: 1.5rem 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.375rem; line-height: 1.3; }
input, button { width: 100%; min-height: 2.75rem; box-sizing: border-box; font: inherit; }
button { margin-top: .75rem; }
.quiet { background: none; border: 1px solid; }
.code { overflow-wrap: anywhere; font-family: ui-monospace, monospace; }
.note { font-size: .875rem; }
</style>
</head>
<body>
<main>
<p class="note">Sandbox provider: no real money.</p>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
