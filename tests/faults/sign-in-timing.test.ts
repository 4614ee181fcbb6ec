import { expect, it } from "vitest";
import { AccountBrowser } from "../support/http/account-browser.ts";
import { freshDatabase } from "../support/database/database.ts";
import { testApp } from "../support/http/http-app.ts";

const PAIRS = 100;
const WARM_UP = 10;
/** Of equal times each is the longer one in half of the pairs, give or take five standard deviations; without a hash for an unknown email it is always the known one. */
const MIN_SHARE = 0.25;

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;

it("a wrong password and an unknown email take the same time, as do the two requests for a new password", async () => {
  await using database = await freshDatabase();
  await using app = await testApp(database);
  await new AccountBrowser(app).send("createLocal", { email: "0@mail.example", password: "a long enough phrase" });
  // An account for each pair: whoever asks twice is limited, known or not.
  await database.pool.query(
    `with made as (insert into users (email) select n || '@mail.example' from generate_series(1, ${PAIRS + WARM_UP}) n returning id)
     insert into credentials (user_id, password_hash, changed_at) select made.id, c.password_hash, now() from made, credentials c`,
  );

  let next = 0;
  const timed = async (call: "authenticateLocal" | "requestPasswordReset", to: string) => {
    next += 1;
    const browser = new AccountBrowser(app, `198.51.${next >> 8}.${next & 255}`);
    const began = performance.now();
    await (call === "authenticateLocal"
      ? browser.send(call, { email: to, password: "another password" })
      : browser.send(call, { email: to }));
    return performance.now() - began;
  };

  for (const call of ["authenticateLocal", "requestPasswordReset"] as const) {
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let pair = 0; pair < PAIRS + WARM_UP; pair += 1) {
      // In turn, and each first as often: a busy machine slows both alike.
      const order = [
        { times: known, to: `${pair}@mail.example` },
        { times: unknown, to: `nobody${pair}@mail.example` },
      ];
      for (const { times, to } of pair % 2 === 0 ? order : order.toReversed()) {
        const ms = await timed(call, to);
        if (pair >= WARM_UP) times.push(ms);
      }
    }
    const at = (share: number) => [quantile(known, share), quantile(unknown, share)] as const;
    const show = (share: number) => {
      const [one, other] = at(share);
      return `${one.toFixed(2)} and ${other.toFixed(2)} ms (${(one - other).toFixed(2)} ms apart)`;
    };
    const share = known.filter((ms, pair) => ms > (unknown[pair] ?? NaN)).length / PAIRS;
    console.log(
      `${call}, known and unknown email, ${PAIRS} pairs: median ${show(0.5)}, first tenth ${show(0.1)}; the known one took longer in ${share * 100} %`,
    );
    expect(share).toBeGreaterThan(MIN_SHARE);
    expect(share).toBeLessThan(1 - MIN_SHARE);
  }
}, 120_000);
