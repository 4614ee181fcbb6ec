import { expect, it } from "vitest";
import { shorten } from "./short-address.ts";

it("shortens what is longer than both ends, and keeps as much of each address as is its own", () => {
  expect(shorten("0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199")).toBe("0x8626f6…9C1199");
  expect(shorten("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq")).toBe("bc1qar0srr…wf5mdq");
  expect(shorten("bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a")).toBe("qpm2qs…2gdx6a");
  expect(shorten("rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe")).toBe("rPT1Sj…zbpAYe");
  expect(shorten("short")).toBe("short");
});
