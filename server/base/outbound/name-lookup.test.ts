import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { expect, test } from "vitest";
import { createNameLookup } from "./name-lookup.ts";

/** More than threads look names up. */
const NAMES = 16;

test("names whose servers don't answer delay no other name, and end with their signal", async () => {
  const silent = createSocket("udp4").bind(0, "127.0.0.1");
  await once(silent, "listening");
  const lookUp = createNameLookup([`127.0.0.1:${silent.address().port}`]);
  const ending = new AbortController();
  const asked = Array.from({ length: NAMES }, (_, n) => lookUp(`host-${n}.example`, ending.signal));
  await once(silent, "message");
  expect(await lookup("localhost")).toMatchObject({ address: expect.any(String) });
  ending.abort();
  const ends = await Promise.allSettled(asked);
  expect(ends.map(({ status }) => status)).toEqual(ends.map(() => "rejected"));
  silent.close();
});
