import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { launchData } from "../../tests/support/launch-data.ts";
import { readLaunchData } from "./launch-data.ts";

/** Published in Telegram-Mini-Apps/tma.js, apps/docs/platform/init-data.md: with a hash alone, and with Telegram's signature too. */
const HASHED = {
  token: "5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8",
  at: 1_662_771_648,
  initData:
    "query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%22%2C%22last_name%22%3A%22Kibenko%22%2C" +
    "%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%7D&auth_date=1662771648" +
    "&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2",
};
const SIGNED = {
  id: "7342037359",
  token: "7342037359:AAFZehRPBRs8Seg40oDjTMIW8uTGPuW1zfQ",
  at: 1_733_584_787,
  initData:
    "user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%20%2B%20-%20%3F%20%5C%2F%22%2C%22last_name%22%3A%22Kibenko%22%2C" +
    "%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%2C%22allows_write_to_pm%22%3Atrue%2C" +
    "%22photo_url%22%3A%22https%3A%5C%2F%5C%2Ft.me%5C%2Fi%5C%2Fuserpic%5C%2F320%5C%2F4FPEE4tmP3ATHa57u6MqTDih13LTOiMoKoLDRG4PnSA.svg%22%7D" +
    "&chat_instance=8134722200314281151&chat_type=private&auth_date=1733584787" +
    "&signature=zL-ucjNyREiHDE8aihFwpfR9aggP2xiAo3NSpfe-p7IbCisNlDKlo7Kb6G4D0Ao2mBrSgEk4maLSdv6MLIlADQ" +
    "&hash=2174df5b000556d044f3f020384e879c8efcab55ddea2ced4eb752e93e7080d6",
};
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

  test("no signature is none, and another bot's is not ours", () => {
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

describe("what is genuine and still refused", () => {
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

  test("a hash by the token itself, which is the login widget's way", () => {
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
