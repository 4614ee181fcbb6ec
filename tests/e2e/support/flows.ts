/** What a walk through a flow differs in. Widths are Playwright's projects. */
export const AXES = {
  width: ["phone", "desktop"],
  language: ["en", "ru"],
  theme: ["light", "dark"],
  input: ["pointer", "keyboard"],
} as const;

export type Axis = keyof typeof AXES;

export type Walk = { readonly [A in Axis]: (typeof AXES)[A][number] };

type WalkName = `${Walk["width"]} ${Walk["language"]} ${Walk["theme"]} ${Walk["input"]}`;

/** Flows of a kind share their parts, so together they need each pair of values that matters to them. */
export type Flow = { readonly kind: string; readonly walks: readonly WalkName[] };

/** Two walks hold every value of every axis; both couples together hold each pair with a width. */
const ONE_COUPLE = ["phone en light pointer", "desktop ru dark keyboard"] as const;
const OTHER_COUPLE = ["phone ru dark keyboard", "desktop en light pointer"] as const;
const [PHONE_EN, DESKTOP_RU] = ONE_COUPLE;
const [PHONE_RU, DESKTOP_EN] = OTHER_COUPLE;

/** Where money or an account is at stake, each flow alone meets every value. */
const EACH_ALONE: ReadonlySet<string> = new Set(["exchange", "card", "order", "account", "verification"]);

/** Every flow that is walked, by its title, and the walks through it. `uncovered` says what they leave out. */
export const FLOWS = {
  "a guest swaps ETH for USDT in under eight interactions": { kind: "exchange", walks: ONE_COUPLE },
  "a fixed rate requested by the amount to get is paid out exactly": { kind: "exchange", walks: OTHER_COUPLE },

  "either amount is computed from the other, in either direction": { kind: "calculator", walks: [PHONE_EN] },
  "the minimum is named, and set by a press": { kind: "calculator", walks: [DESKTOP_EN] },
  "a coin is searched for and chosen": { kind: "calculator", walks: [PHONE_RU, DESKTOP_RU] },

  "every error at once, then an order with an email that is remembered, or without one": {
    kind: "destination",
    walks: [PHONE_RU],
  },
  "a coin with tags is sent with one, or without where the address needs none": {
    kind: "destination",
    walks: [DESKTOP_RU],
  },
  "visitors of the partner alone are asked for an email, and an unknown referral is cleared": {
    kind: "destination",
    walks: [DESKTOP_EN],
  },
  "a QR code fills the address, and its amount is offered": { kind: "destination", walks: [PHONE_EN] },
  "a reload while the order is being created goes on with the same order": { kind: "destination", walks: [PHONE_EN] },

  "a guest buys coins by card: registers on the way, and goes on with what was typed": {
    kind: "card",
    walks: ONE_COUPLE,
  },
  "a purchase that needs a check survives reloads and a closed window, and is paid once": {
    kind: "card",
    walks: OTHER_COUPLE,
  },
  "a person whom the provider knows already reads that it did not confirm them, and is charged nothing": {
    kind: "card",
    walks: ONE_COUPLE,
  },
  "a refused card ends the order, which is created again; a missed callback is found by polling": {
    kind: "card",
    walks: OTHER_COUPLE,
  },
  "coins are sold to a card, without an address to check": { kind: "card", walks: ONE_COUPLE },

  "a customer accepts the new rate and gets no less than the sum on the button": { kind: "order", walks: ONE_COUPLE },
  "a customer gets the deposit back, less the quoted network fee": { kind: "order", walks: OTHER_COUPLE },
  "a customer whose sum is too small gets it back at a validated address": { kind: "order", walks: ONE_COUPLE },
  "the orders of a device are listed with their state, read without a network, found by a link, and forgotten": {
    kind: "order",
    walks: OTHER_COUPLE,
  },
  "an order that was opened without its address can be looked up again": { kind: "order", walks: OTHER_COUPLE },

  "a person registers, sees where they are signed in, and signs out": { kind: "account", walks: ONE_COUPLE },
  "a forgotten password is replaced by the mailed code, and the login leads to the page that was asked for": {
    kind: "account",
    walks: OTHER_COUPLE,
  },

  "an API key is made, its secret read once, switched off, renamed and deleted": {
    kind: "account",
    walks: ONE_COUPLE,
  },
  "a webhook is added, its secret read once, tested, sent again and deleted": { kind: "account", walks: ONE_COUPLE },
  "a rate is read and an order made in the reference of the API, with a key that the page forgets": {
    kind: "account",
    walks: OTHER_COUPLE,
  },
  "the account's orders are narrowed, opened and saved, and a guest's order of this device is added": {
    kind: "account",
    walks: OTHER_COUPLE,
  },
  "a second factor is turned on, asked for at the next sign-in and a withdrawal, and turned off": {
    kind: "account",
    walks: ONE_COUPLE,
  },
  "email and password are changed after the password was asked for, then the account is exported and deleted": {
    kind: "account",
    walks: OTHER_COUPLE,
  },
  "two tabs of one browser are one session: each follows who signs in and out": { kind: "account", walks: ONE_COUPLE },
  "a session that ends in the exchange's form loses nothing that was typed, and its order is the person's": {
    kind: "account",
    walks: ONE_COUPLE,
  },
  "a Telegram user is joined to an account with an email, goes back by Telegram's button, and closes at the sign-out": {
    kind: "account",
    walks: ONE_COUPLE,
  },
  "a person registers, swaps, gets cashback, and withdraws it": { kind: "account", walks: ONE_COUPLE },

  "a person sends their documents by the camera, goes on after a reload, and reads what happens next": {
    kind: "verification",
    walks: OTHER_COUPLE,
  },
  "a person whose documents were refused reads why, and may send them again": {
    kind: "verification",
    walks: ONE_COUPLE,
  },

  "the home page's questions are opened and closed": { kind: "site", walks: [PHONE_EN] },
  "the popular exchanges name what each pair pays, and lead to it": { kind: "site", walks: [DESKTOP_EN] },

  "an article is found from the footer, its sections are followed, and the next one is read": {
    kind: "site",
    walks: [PHONE_RU, DESKTOP_RU],
  },

  "an unknown address is a 404 page that offers links": { kind: "frame", walks: [PHONE_RU] },
  "the language is changed on the current page, and saved": { kind: "frame", walks: [DESKTOP_EN] },
  "the theme follows the system until one is chosen": { kind: "frame", walks: [DESKTOP_RU] },
  "an unreachable service shows the outage page, keeps what was typed, and recovers by itself": {
    kind: "frame",
    walks: [PHONE_EN],
  },
  "without a network a saved page shows the offline notice, and recovers by itself": {
    kind: "frame",
    walks: [PHONE_EN],
  },
} as const satisfies Record<string, Flow>;

/** The annotation that names the flow which a test walks. */
export const FLOW = "flow";

export type FlowName = keyof typeof FLOWS;

/** Reads a walk's name. */
export function walkOf(name: WalkName): Walk {
  const [width, language, theme, input] = name.split(" ");
  return { width, language, theme, input } as Walk;
}

/** A rate mode, a dialog or a pinned bar may depend on the width and on one thing more. */
const PAIRS: readonly (readonly [Axis, Axis])[] = [
  ["width", "language"],
  ["width", "theme"],
  ["width", "input"],
];

/** The flows that nobody walks, the values that one of EACH_ALONE is never run with, and the pairs that no flow of a kind is run with. */
export function uncovered(flows: Readonly<Record<string, Flow>>): string[] {
  const alone = Object.entries(flows).flatMap(([name, { kind, walks }]) => {
    if (walks.length === 0) return [`${name}: not walked`];
    if (!EACH_ALONE.has(kind)) return [];
    return axes().flatMap((axis) => absent([axis], walks.map(walkOf)).map((values) => `${name}: ${values}`));
  });
  const kinds = Object.entries(Object.groupBy(Object.values(flows), ({ kind }) => kind));
  const together = kinds.flatMap(([kind, members = []]) => {
    const walks = members.flatMap((flow) => flow.walks.map(walkOf));
    return PAIRS.flatMap((pair) => absent(pair, walks).map((values) => `${kind}: ${values}`));
  });
  return [...alone, ...together];
}

/** Each combination of the axes' values in which nobody walks. */
function absent(of: readonly Axis[], walks: readonly Walk[]): string[] {
  const walked = new Set(walks.map((walk) => of.map((axis) => walk[axis]).join(" ")));
  const all = of.reduce<string[][]>(
    (before, axis) => before.flatMap((values) => AXES[axis].map((value) => [...values, value])),
    [[]],
  );
  return all.map((values) => values.join(" ")).filter((values) => !walked.has(values));
}

export const axes = (): Axis[] => Object.keys(AXES) as Axis[];
