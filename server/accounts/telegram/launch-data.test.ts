import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { launchData, signedLaunchData, telegramKeys } from "../../../tests/support/services/launch-data.ts";
import { HASHED, SIGNED, TELEGRAM_KEY, TELEGRAM_TEST_KEY } from "../../../tests/support/services/launch-vectors.ts";
import { readLaunchData } from "./launch-data.ts";

const VLADISLAV = { telegramId: 279058397n, languageCode: "ru" };
const SIGNED_BOT = { id: SIGNED.id, publicKey: TELEGRAM_KEY };
const at = (seconds: number) => new Date(seconds * 1000);

describe("the published vectors", () => {
  test("a hash without a signature", () => {
    expect(readLaunchData(HASHED.initData, HASHED, at(HASHED.at))?.user).toEqual(VLADISLAV);
  });

  test("a hash over the signature too", () => {
    expect(readLaunchData(SIGNED.initData, SIGNED, at(SIGNED.at))?.user).toEqual(VLADISLAV);
  });

  test("Telegram's signature, by a bot's id alone", () => {
    expect(readLaunchData(SIGNED.initData, SIGNED_BOT, at(SIGNED.at))?.user).toEqual(VLADISLAV);
  });

  test("the key of Telegram's test environment doesn't open the production environment's launch", () => {
    const bot = { id: SIGNED.id, publicKey: TELEGRAM_TEST_KEY };
    expect(readLaunchData(SIGNED.initData, bot, at(SIGNED.at))).toBeNull();
  });

  test("a missing signature and another bot's are refused", () => {
    const other = { id: "5768337691", publicKey: TELEGRAM_KEY };
    expect(readLaunchData(HASHED.initData, other, at(HASHED.at))).toBeNull();
    expect(readLaunchData(SIGNED.initData, other, at(SIGNED.at))).toBeNull();
  });
});

describe.each([
  ["hash", { token: SIGNED.token }],
  ["signature", SIGNED_BOT],
])("what the %s covers", (_, bot) => {
  const now = at(SIGNED.at);
  const covered = "token" in bot ? SIGNED.initData : SIGNED.initData.replace(/&hash=.*/, `&hash=${"0".repeat(64)}`);

  test("is refused after a change of any of its bytes", () => {
    const ends = "token" in bot ? covered.length : covered.indexOf("&hash=");
    for (let index = 0; index < ends; index += 1) {
      const changed = covered.slice(0, index) + (covered[index] === "0" ? "1" : "0") + covered.slice(index + 1);
      if (new URLSearchParams(changed).toString() === new URLSearchParams(covered).toString()) continue;
      expect(readLaunchData(changed, bot, now), `byte ${index}`).toBeNull();
    }
  });

  test.each(["user", "chat_instance", "chat_type", "auth_date"])("is refused without %s", (name) => {
    const fields = new URLSearchParams(covered);
    fields.delete(name);
    expect(readLaunchData(fields.toString(), bot, now)).toBeNull();
  });

  test("is refused with a field more, and with one twice", () => {
    expect(readLaunchData(`${covered}&start_param=x`, bot, now)).toBeNull();
    expect(readLaunchData(`${covered}&chat_type=private`, bot, now)).toBeNull();
  });

  test("may come in any order", () => {
    const turned = new URLSearchParams([...new URLSearchParams(covered)].toReversed());
    expect(readLaunchData(turned.toString(), bot, now)?.user).toEqual(VLADISLAV);
  });
});

describe("a signature in another spelling", () => {
  const { publicKey, privateKey } = telegramKeys();
  const seconds = 1_800_000_000;
  const bot = { id: "7", publicKey };
  const initData = signedLaunchData("7:token", privateKey, { auth_date: String(seconds), user: '{"id":7}' });
  const signature = new URLSearchParams(initData).get("signature") ?? "";
  const written = (text: string) => {
    const fields = new URLSearchParams(initData);
    fields.set("signature", text);
    return readLaunchData(fields.toString(), bot, at(seconds));
  };

  test("is the one that is accepted only as Telegram writes it", () => {
    expect(written(signature)).toMatchObject({ botId: "7", proof: signature });
  });

  test.each([
    ["with padding", `${signature}==`],
    ["with a space", `${signature} `],
    ["with a letter that no decoder counts", `${signature.slice(0, 40)}!${signature.slice(40)}`],
    ["with a bit that stands for nothing", signature.slice(0, -1) + nextLetter(signature.at(-1) ?? "")],
    ["in hex", Buffer.from(signature, "base64url").toString("hex")],
    ["with the group's order added to its scalar", withOrderAdded(signature)],
    ["that is empty", ""],
  ])("%s is refused", (_, text) => {
    expect(written(text)).toBeNull();
  });
});

test("text in the signature's field that is no signature does not distinguish launches: the hash that was checked does", () => {
  const seconds = 1_800_000_000;
  const launched = (auth_date: number) =>
    readLaunchData(
      launchData("7:token", { auth_date: String(auth_date), signature: "x", user: '{"id":7}' }),
      { token: "7:token" },
      at(seconds),
    )?.proof;
  expect(launched(seconds)).toMatch(/^[0-9a-f]{64}$/);
  expect(launched(seconds)).not.toBe(launched(seconds - 1));
});

/** Decodes to the same bytes: the last four bits of 86 letters stand for nothing. */
const nextLetter = (letter: string): string => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 1);

/** Verifies wherever a verifier doesn't check that the scalar is below the order of the group. */
function withOrderAdded(signature: string): string {
  const bytes = Buffer.from(signature, "base64url");
  const scalar = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString("hex")}`);
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const sum = Buffer.from((scalar + order).toString(16).padStart(64, "0"), "hex").reverse();
  return Buffer.concat([bytes.subarray(0, 32), sum]).toString("base64url");
}

describe("genuine launch data that is refused", () => {
  const token = "1:token";
  const now = at(1_800_000_000);
  const seconds = 1_800_000_000;
  const read = (fields: Record<string, string>) => readLaunchData(launchData(token, fields), { token }, now);
  const user = JSON.stringify({ id: 7 });

  test.each([
    ["an hour old", seconds - 3600, true],
    ["older", seconds - 3601, false],
    ["a minute ahead", seconds + 60, true],
    ["from the future", seconds + 61, false],
    ["in milliseconds", seconds * 1000, false],
    ["in minutes", Math.round(seconds / 60), false],
  ])("%s", (_, authDate, isTaken) => {
    expect(read({ auth_date: String(authDate), user }) !== null).toBe(isTaken);
  });

  test("with a field that stands twice: its hash covers neither which hash was meant", () => {
    const good = launchData(token, { auth_date: String(seconds), user });
    const hash = new URLSearchParams(good).get("hash") ?? "";
    expect(readLaunchData(good, { token }, now)).not.toBeNull();
    for (const written of [`${good}&hash=${hash}`, `hash=${"0".repeat(64)}&${good}`])
      expect(readLaunchData(written, { token }, now)).toBeNull();
  });

  test.each(["1e9", "-1", "0x10", " 1800000000", "1800000000.5", ""])("a time that reads %j", (written) => {
    expect(read({ auth_date: written, user })).toBeNull();
  });

  test.each([
    "",
    "null",
    "[]",
    "{",
    '{"id":"7"}',
    '{"id":0}',
    '{"id":1.5}',
    '{"id":7,"is_bot":true}',
    '{"first_name":"x"}',
  ])("a user that is %j", (written) => {
    expect(read({ auth_date: String(seconds), user: written })).toBeNull();
  });

  test("an upper-case hash", () => {
    const initData = launchData(token, { auth_date: String(seconds), user });
    const upper = initData.replace(/hash=(.*)$/, (_, hash: string) => `hash=${hash.toUpperCase()}`);
    expect(readLaunchData(initData, { token }, now)).not.toBeNull();
    expect(readLaunchData(upper, { token }, now)).toBeNull();
  });

  test("a hash keyed with the token itself, as the login widget's", () => {
    const fields = `auth_date=${seconds}\nuser=${user}`;
    const hash = createHmac("sha256", token).update(fields).digest("hex");
    expect(
      readLaunchData(new URLSearchParams({ auth_date: String(seconds), user, hash }).toString(), { token }, now),
    ).toBeNull();
  });

  test.each(["", "hash=", "not launch data", "%", "a=b&hash=zz"])("the text %j", (text) => {
    expect(readLaunchData(text, { token }, now)).toBeNull();
  });
});
