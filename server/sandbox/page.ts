import type { FastifyInstance } from "fastify";
import { escapeMarkup } from "#contract/site/escape-markup.ts";
import type { Catalogue } from "../catalogue/index.ts";
import { SANDBOX_TOKEN_HEADER } from "#contract/headers.ts";
import type { SandboxAccess } from "./access.ts";
import type { SandboxNetworks } from "./port.ts";

type PageParts = { catalogue: Catalogue; networks: SandboxNetworks; access: SandboxAccess };

/** A plain page with forms for the sandbox's calls. */
export function addSandboxPage(app: FastifyInstance, { catalogue, networks, access }: PageParts): void {
  app.get("/sandbox", { schema: { hide: true } }, async (request, reply) => {
    const { cspNonce } = request;
    reply.type("text/html; charset=utf-8").header("content-security-policy", policy(cspNonce));
    reply.header("cache-control", "no-store");
    const token = access.tokenFor(request) ?? "";
    return page({ nonce: cspNonce, token, slugs: [...catalogue.slugs], titles: [...networks.keys()] });
  });
}

const policy = (nonce: string): string =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; object-src 'none'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors https://web.telegram.org";

const options = (values: string[]): string => values.map((value) => `<option>${escapeMarkup(value)}</option>`).join("");

const field = (label: string, input: string): string => `<p><label>${label}<br>${input}</label></p>`;
const form = (name: string, title: string, fields: string, button: string): string =>
  `<form data-call="${name}"><h2>${title}</h2>${fields}<button>${button}</button><output role="status"></output></form>`;

type PageTexts = { nonce: string; token: string; slugs: string[]; titles: string[] };

function page({ nonce, token, slugs, titles }: PageTexts): string {
  const network = field("Network", `<select name="networkTitle">${options(titles)}</select>`);
  const forms = [
    form(
      "pay",
      "Pay an order",
      field("Order id", '<input name="orderId" required autocomplete="off">') +
        field(
          "Amount (empty: what the order asks for)",
          '<input name="amount" inputmode="decimal" autocomplete="off">',
        ),
      "Pay",
    ),
    form(
      "market",
      "Set a market price",
      field("Instrument", `<select name="slug">${options(slugs)}</select>`) +
        field("Price in USD", '<input name="price" required inputmode="decimal" autocomplete="off">'),
      "Set",
    ),
    form(
      "clock",
      "Move the clock",
      field("Seconds", '<input name="advanceSeconds" type="number" min="0" value="60" required>'),
      "Advance",
    ),
    form(
      "mine",
      "Mine blocks",
      network + field("Blocks", '<input name="mine" type="number" min="1" value="1" required>'),
      "Mine",
    ),
    form(
      "reorg",
      "Replace blocks",
      network + field("Depth", '<input name="reorg" type="number" min="1" value="1" required>'),
      "Reorganise",
    ),
    form("paused", "Stop or resume blocks", network + field("Paused", '<input name="paused" type="checkbox">'), "Set"),
    form("mail", "What was mailed", "", "Show"),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sandbox</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
form { border-top: 1px solid; padding-bottom: 1rem; }
input:not([type="checkbox"]), select, button { font: inherit; padding: 0.5rem; min-height: 2.75rem; max-width: 100%; }
output { display: block; white-space: pre-wrap; margin-top: 0.5rem; overflow-wrap: anywhere; }
</style>
</head>
<body>
<main>
<h1>Sandbox</h1>
<p>Nothing here has any value.</p>
${forms.join("\n")}
</main>
<script nonce="${nonce}" data-token="${token}">${SCRIPT}</script>
</body>
</html>`;
}

const SCRIPT = `
const { token } = document.currentScript.dataset;
const bodies = {
  pay: (f) => ["pay", { orderId: f.orderId.value.trim(), amount: f.amount.value.trim() || null }],
  market: (f) => ["market", { slug: f.slug.value, price: f.price.value.trim() }],
  clock: (f) => ["clock", { advanceSeconds: Number(f.advanceSeconds.value) }],
  mine: (f) => ["networks/" + f.networkTitle.value, { mine: Number(f.mine.value) }],
  reorg: (f) => ["networks/" + f.networkTitle.value, { reorg: Number(f.reorg.value) }],
  paused: (f) => ["networks/" + f.networkTitle.value, { paused: f.paused.checked }],
  mail: () => ["mail", null],
};
for (const form of document.querySelectorAll("form")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const output = form.querySelector("output");
    const [path, body] = bodies[form.dataset.call](form.elements);
    output.textContent = "…";
    try {
      const answer = await fetch("/sandbox/" + path, {
        method: body === null ? "GET" : "POST",
        headers: { "${SANDBOX_TOKEN_HEADER}": token, ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      output.textContent = JSON.stringify(await answer.json(), null, body === null ? 2 : 0);
    } catch (error) {
      output.textContent = String(error);
    }
  });
}
`;
