import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { launchData } from "../../tests/support/launch-data.ts";
import { HASHED, SIGNED } from "../../tests/support/launch-vectors.ts";
import { readLaunchData } from "./launch-data.ts";

const VLADISLAV = { telegramId: 279058397n, languageCode: "ru" };
const at = (seconds: number) => new Date(seconds * 1000);

describe("the published vectors", () => {
  test("a hash without a signature", () => {
    expect(readLaunchData(HASHED.initData, HASHED, at(HASHED.at))?.user).toEqual(VLADISLAV);
  });

  test("a hash over the signature too", () => {
    expect(readLaunchData(SIGNED.initData, SIGNED, at(SIGNED.at))?.user).toEqual(VLADISLAV);
  });

  test("Telegram's signature, by a bot's id alone", () => {
    expect(readLaunchData(SIGNED.initData, { id: SIGNED.id }, at(SIGNED.at))?.user).toEqual(VLADISLAV);
  });

  test("a missing signature and another bot's are refused", () => {
    expect(readLaunchData(HASHED.initData, { id: "5768337691" }, at(HASHED.at))).toBeNull();
    expect(readLaunchData(SIGNED.initData, { id: "5768337691" }, at(SIGNED.at))).toBeNull();
  });
});

describe.each([
  ["hash", { token: SIGNED.token }],
  ["signature", { id: SIGNED.id }],
])("what the %s covers", (_, bot) => {
  const now = at(SIGNED.at);
  const covered = "token" in bot ? SIGNED.initData : SIGNED.initData.replace(/&hash=.*/, `&hash=${"0".repeat(64)}`);

  test("is refused after a change of any of its bytes", () => {
    // The unused bits of the signature's last letter are no byte of it.
    const ends = "token" in bot ? covered.length : covered.indexOf("&signature=") + "&signature=".length + 80;
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

  test.each(["", "hash=", "not launch data", "%", "a=b&hash=zz"])("%j", (text) => {
    expect(readLaunchData(text, { token }, now)).toBeNull();
  });
});
