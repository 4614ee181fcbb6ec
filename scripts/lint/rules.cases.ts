/** One rule shown at work: the files planted for it, and which of them must be refused by which rule. */
type Case = { name: string; files: Record<string, string>; refused: Record<string, string> };

const x = "export const x = 1;\n";
const typed = "export type X = number;\n";
const uses = (source: string) => `import { x } from "${source}";\nexport const y = x + 1;\n`;
const says = (expression: string) => `export const y = (): unknown => ${expression};\n`;
const rooms = "wherry(rooms)";
const pure = "wherry(pure)";
const sends = "wherry(sends)";

export const planted: Case[] = [
  {
    name: "contract imports nothing but contract and zod",
    files: {
      "contract/rooms/a.ts": x,
      "contract/rooms/good.ts": `import * as z from "zod/mini";\nimport { x } from "#contract/rooms/a.ts";\nexport const y = z.literal(x);\n`,
      "contract/rooms/good.test.ts": `import { test } from "vitest";\nimport { x } from "./a.ts";\ntest("x", (t) => t.expect(x).toBe(1));\n`,
      "server/c/inside.ts": x,
      "src/shared/page/c.ts": x,
      "contract/rooms/from-server.ts": uses("../../server/c/inside.ts"),
      "contract/rooms/from-src.ts": uses("../../src/shared/page/c.ts"),
      "contract/rooms/from-node.ts": `export { join } from "node:path";\n`,
      "contract/rooms/from-package.ts": `export * from "kysely";\n`,
    },
    refused: {
      "contract/rooms/from-server.ts": rooms,
      "contract/rooms/from-src.ts": rooms,
      "contract/rooms/from-node.ts": rooms,
      "contract/rooms/from-package.ts": rooms,
    },
  },
  {
    name: "src and server never import each other, in no form",
    files: {
      "server/ends/inside.ts": x + typed,
      "src/shared/page/ends.ts": x,
      "src/shared/page/static.ts": uses("../../../server/ends/inside.ts"),
      "src/shared/page/dynamic.ts": `export const y = import("../../../server/ends/inside.ts");\n`,
      "src/shared/page/type-import.ts": `export type { X } from "../../../server/ends/inside.ts";\n`,
      "src/shared/page/type-query.ts": `export type Y = typeof import("../../../server/ends/inside.ts").x;\n`,
      "src/shared/page/re-export.ts": `export { x } from "../../../server/ends/inside.ts";\n`,
      "server/ends/static.ts": uses("../../src/shared/page/ends.ts"),
      "src/shared/page/from-node.ts": `export { join } from "node:path";\n`,
    },
    refused: {
      "src/shared/page/static.ts": rooms,
      "src/shared/page/dynamic.ts": rooms,
      "src/shared/page/type-import.ts": rooms,
      "src/shared/page/type-query.ts": rooms,
      "src/shared/page/re-export.ts": rooms,
      "server/ends/static.ts": rooms,
      "src/shared/page/from-node.ts": rooms,
    },
  },
  {
    name: "a feature imports telegram, pwa, shared and contract, never another feature or the app",
    files: {
      "contract/feature.ts": x,
      "src/shared/ui/f.ts": x,
      "src/app/f.ts": x,
      "src/features/one/model/f.ts": x,
      "src/features/two/f.ts": x,
      "src/features/one/good.ts": `export { x as a } from "#contract/feature.ts";\nexport { x as b } from "../../shared/ui/f.ts";\nexport { x as c } from "./model/f.ts";\n`,
      "src/features/one/model/two-away.ts": uses("../../two/f.ts"),
      "src/features/one/from-app.ts": uses("../../app/f.ts"),
      "src/shared/ui/knows-feature.ts": uses("../../features/one/model/f.ts"),
    },
    refused: {
      "src/features/one/model/two-away.ts": rooms,
      "src/features/one/from-app.ts": rooms,
      "src/shared/ui/knows-feature.ts": rooms,
    },
  },
  {
    name: "a server area reaches the areas below it, by their port or index",
    files: {
      "server/main.ts": x,
      "server/db/rows.ts": x,
      "server/http/failures.ts": x,
      "server/orders/port.ts": x,
      "server/rates/port.ts": x,
      "server/rates/curves/index.ts": x,
      "server/rates/inside.ts": x,
      "server/orders/allowed.ts": ["../rates/port.ts", "../rates/curves/index.ts", "../db/rows.ts"]
        .map((path, n) => `export { x as x${n} } from "${path}";\n`)
        .join(""),
      "server/orders/from-inside.ts": uses("../rates/inside.ts"),
      "server/orders/from-http.ts": uses("../http/failures.ts"),
      "server/orders/from-root.ts": uses("../main.ts"),
      "server/rates/from-above.ts": uses("../orders/port.ts"),
      "server/http/knows-an-area.ts": uses("../rates/port.ts"),
      "server/unlisted/a.ts": uses("../db/rows.ts"),
    },
    refused: {
      "server/orders/from-inside.ts": rooms,
      "server/orders/from-http.ts": rooms,
      "server/orders/from-root.ts": rooms,
      "server/rates/from-above.ts": rooms,
      "server/http/knows-an-area.ts": rooms,
      "server/unlisted/a.ts": rooms,
    },
  },
  {
    name: "packages stay in their rooms",
    files: {
      "server/chains/evm/good.ts": `export { getAddress } from "viem";\n`,
      "server/orders/knows-viem.ts": `export { getAddress } from "viem";\n`,
      "src/shared/page/knows-viem.ts": `export { getAddress } from "viem";\n`,
      "src/shared/ui/good.tsx": `export { Button } from "@telegram-apps/telegram-ui";\n`,
      "src/features/one/button.tsx": `export { Button } from "@telegram-apps/telegram-ui";\n`,
      "src/features/one/sdk.ts": `export * from "@telegram-apps/sdk-react";\n`,
    },
    refused: {
      "server/orders/knows-viem.ts": rooms,
      "src/shared/page/knows-viem.ts": rooms,
      "src/features/one/button.tsx": rooms,
      "src/features/one/sdk.ts": rooms,
    },
  },
  {
    name: "decide, evolve, quote and contract know no clock, randomness or I/O",
    files: {
      "server/orders/shell.ts": x + typed,
      "server/orders/decide-good.ts": `import { x } from "./decide-more.ts";\nimport type { X } from "./shell.ts";\nexport type { X };\nexport const at = (now: Date) => new Date(now.getTime() + Math.max(x, 2));\n`,
      "server/orders/decide-more.ts": x,
      "server/orders/decide.ts": says("Date.now()"),
      "server/orders/evolve.ts": says("Math.random()"),
      "server/orders/order.ts": says("process.env"),
      "server/orders/decide-time.ts": says("new Date()"),
      "server/orders/decide-file.ts": `export { readFileSync } from "node:fs";\n`,
      "server/orders/decide-shell.ts": uses("./shell.ts"),
      "server/orders/decide-later.ts": `export const y = () => import("./decide-more.ts");\n`,
      "server/orders/decide-taken.ts": `const { random } = Math;\nexport const y = random;\n`,
      "server/rates/quote.ts": says("performance.now()"),
      "server/rates/quote-id.ts": says("crypto.randomUUID()"),
      "contract/money.ts": says("Date.now()"),
      "contract/wire.ts": says(`fetch("/")`),
      "contract/clock.test.ts": says("Date.now()"),
    },
    refused: {
      "server/orders/decide.ts": pure,
      "server/orders/evolve.ts": pure,
      "server/orders/order.ts": pure,
      "server/orders/decide-time.ts": pure,
      "server/orders/decide-file.ts": pure,
      "server/orders/decide-shell.ts": pure,
      "server/orders/decide-later.ts": pure,
      "server/orders/decide-taken.ts": pure,
      "server/rates/quote.ts": pure,
      "server/rates/quote-id.ts": pure,
      "contract/money.ts": pure,
      "contract/wire.ts": pure,
    },
  },
  {
    name: "only the network drivers broadcast, and nobody signs and sends in one",
    files: {
      "server/chains/evm/broadcast.ts": says(`["eth_sendRawTransaction"]`),
      "server/devnet/evm/faucet.ts": says(`["eth_sendTransaction"]`),
      "server/sandbox/pay.ts": says(`["eth_sendTransaction"]`),
      "server/orders/broadcast.ts": says(`["eth_sendRawTransaction"]`),
      "server/treasury/relay.ts": `export const y = (client: { sendRawTransaction(): string }) => client.sendRawTransaction();\n`,
      "server/chains/evm/one-step.ts": `export const y = (client: { sendTransaction(): string }) => client.sendTransaction();\n`,
      "server/chains/bitcoin/one-step.ts": says(`["sendtoaddress"]`),
    },
    refused: {
      "server/orders/broadcast.ts": sends,
      "server/treasury/relay.ts": sends,
      "server/chains/evm/one-step.ts": sends,
      "server/chains/bitcoin/one-step.ts": sends,
    },
  },
  {
    name: "no failure is swallowed, no promise left alone",
    files: {
      "server/quiet/good.ts": `export const y = (p: Promise<number>) => p.catch((error: unknown) => String(error));\n`,
      "server/quiet/catch.ts": `export const y = (p: Promise<void>) => p.catch(() => {});\n`,
      "server/quiet/undefined.ts": `export const y = (p: Promise<void>) => p.catch(() => undefined);\n`,
      "server/quiet/block.ts": `export function y(f: () => void) {\n  try {\n    f();\n  } catch {}\n}\n`,
      "server/quiet/floating.ts": `export function y(p: Promise<void>) {\n  p.finally(() => 1);\n}\n`,
    },
    refused: {
      "server/quiet/catch.ts": "wherry(no-swallowed-failure)",
      "server/quiet/undefined.ts": "wherry(no-swallowed-failure)",
      "server/quiet/block.ts": "eslint(no-empty)",
      "server/quiet/floating.ts": "typescript(no-floating-promises)",
    },
  },
  {
    name: "no circles, also of types alone, no import without its extension, no any, no parseFloat",
    files: {
      "server/round/a.ts": `import { b } from "./b.ts";\nexport const a = (): number => b();\n`,
      "server/round/b.ts": `import { a } from "./a.ts";\nexport const b = (): number => a();\n`,
      "server/round/c.ts": x,
      "server/round/d.ts": `import { e } from "./e.ts";\nexport type D = number;\nexport const d = (): D => e();\n`,
      "server/round/e.ts": `import type { D } from "./d.ts";\nexport const e = (): D => 1;\n`,
      "src/shared/page/bare.ts": uses("./ends"),
      "server/round/any.ts": `export const y = (value: unknown) => value as any;\n`,
      "server/round/float.ts": says(`parseFloat("0.1")`),
      "server/round/number-float.ts": says(`Number.parseFloat("0.1")`),
    },
    refused: {
      "server/round/a.ts": "import(no-cycle)",
      "server/round/b.ts": "import(no-cycle)",
      "server/round/d.ts": "import(no-cycle)",
      "server/round/e.ts": "import(no-cycle)",
      "src/shared/page/bare.ts": "import(extensions)",
      "server/round/any.ts": "typescript(no-explicit-any)",
      "server/round/float.ts": "eslint(no-restricted-globals)",
      "server/round/number-float.ts": "eslint(no-restricted-properties)",
    },
  },
  {
    name: "what a person can't reach is refused",
    files: { "src/shared/ui/picture.tsx": `export const Picture = () => <img src="/a.png" />;\n` },
    refused: { "src/shared/ui/picture.tsx": "jsx-a11y(alt-text)" },
  },
];
