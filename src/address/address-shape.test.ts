import { expect, it } from "vitest";
import { hasAddressShape } from "./address-shape.ts";

it.each([
  ["ETH", "0x52908400098527886E0F7030069857D2E4169eE7", true],
  ["ETH", "0x5290840009852788", false],
  ["ETH", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", false],
  ["IOTX", "0x52908400098527886E0F7030069857D2E4169eE7", true],
  ["unknown", "0x52908400098527886E0F7030069857D2E4169eE7", false],
  ["BTC", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdx", true],
  ["BTC", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3", true],
  ["BTC", "hello", false],
  ["LTC", "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n8", true],
  ["DOGE", "DH5yaieqoZN36fDVciNyRueRGvGLR3mr7M", true],
  ["XRP", "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYf", true],
  ["XRP", "r1", false],
  ["XLM", `G${"A".repeat(55)}`, true],
  ["TON", "UQCXQrY6AiwvUQCXQrY6AiwvUQCXQrY6AiwvUQCXQrY6Aiww", true],
  ["SOL", "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4U", true],
  ["ADA", `addr1${"q".repeat(98)}`, true],
  ["TRX", "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeD", true],
  ["XMR", `4${"A".repeat(94)}`, true],
  ["XMR", `4${"A".repeat(90)}`, false],
])("%s %s: %s", (network, text, has) => expect(hasAddressShape(network, text)).toBe(has));
