import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { randomInt } from "node:crypto";
import { calls } from "#contract/calls.ts";
import { SANDBOX_BOT_TOKEN } from "../../server/config/telegram.ts";
import { openDocumentKey } from "../../server/verification/index.ts";
import { readDocuments } from "../../server/verification/store.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { Api } from "../support/http/api.ts";
import { ServerProcess } from "../support/processes/server-process.ts";
import { launchData } from "../support/services/launch-data.ts";
import { sampleForm, samplePhoto } from "../support/http/verification-form.ts";

const SCRIPT = "<script>alert(document.cookie)</script>";
/** Half of the time in which a load balancer gives a server up. */
const MAX_STALL_MS = 1_000;

let database: TestDatabase;
let server: ServerProcess;
let api: Api;
beforeAll(async () => {
  database = await freshDatabase({ max: 2 });
  server = await ServerProcess.start({ DATABASE_URL: database.url });
  api = new Api(server.url);
});
afterAll(async () => {
  await server.end();
  await database.drop();
});

async function signedIn(): Promise<Record<string, string>> {
  const user = JSON.stringify({ id: randomInt(1, 1_000_000_000) });
  const initData = launchData(SANDBOX_BOT_TOKEN, { auth_date: String(Math.floor(Date.now() / 1000)), user });
  const { accessToken } = await api.call("createByTelegram", { body: { initData } });
  return { authorization: `Bearer ${accessToken}` };
}

async function submit(headers: Record<string, string>, photo: Buffer) {
  const { method, path } = calls.submitVerification;
  const form = await sampleForm({ facePhoto: photo });
  const reply = await api.send({ method, path, form, headers });
  return { status: reply.status, body: JSON.parse(reply.text) as Record<string, unknown> };
}

/** A PNG of this size in a few kilobytes: one colour, which its decoder would write out. */
function flatPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // One bit a pixel, grey.
  head.set([1, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The longest that the server took for an answer that touches nothing, while `work` ran. */
async function stallWhile<Result>(work: Promise<Result>): Promise<{ result: Result; stallMs: number }> {
  const over = new AbortController();
  let stallMs = 0;
  const watch = async () => {
    while (!over.signal.aborted) {
      const begun = performance.now();
      await api.call("healthz", {});
      stallMs = Math.max(stallMs, performance.now() - begun);
    }
  };
  const watching = watch();
  const result = await work.finally(() => over.abort());
  await watching;
  return { result, stallMs };
}

it("a photo of 100 megapixels is refused by its head: nothing is decoded, and nobody waits", async () => {
  const flood = flatPng(10_000, 10_000);
  expect(flood.length).toBeLessThan(100_000);
  const headers = await signedIn();
  const { result, stallMs } = await stallWhile(Promise.all(Array.from({ length: 5 }, () => submit(headers, flood))));
  for (const { status, body } of result)
    expect({ status, body }).toMatchObject({ status: 400, body: { data: { facePhoto: "pixels" } } });
  expect(stallMs).toBeLessThan(MAX_STALL_MS);
  expect(await api.call("verificationStatus", { headers })).toMatchObject({ status: "NOT_STARTED" });
});

it("the largest photo that is taken stalls nobody while it is decoded", async () => {
  const largest = flatPng(8_000, 5_000);
  const all = await Promise.all(Array.from({ length: 4 }, () => signedIn()));
  const { result, stallMs } = await stallWhile(Promise.all(all.map((headers) => submit(headers, largest))));
  console.info(`four photos of 40 megapixels: the slowest other answer took ${Math.round(stallMs)} ms`);
  expect(result.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(stallMs).toBeLessThan(MAX_STALL_MS);
});

it("a photo that is a page or a script too is stored as a photo alone", async () => {
  const photo = await samplePhoto();
  const comment = Buffer.from(SCRIPT);
  const marker = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
  const polyglot = Buffer.concat([photo.subarray(0, 2), marker, comment, photo.subarray(2), Buffer.from(SCRIPT)]);
  expect(polyglot.includes(SCRIPT)).toBe(true);
  const headers = await signedIn();
  expect(await submit(headers, polyglot)).toMatchObject({ status: 200 });

  const { rows } = await database.pool.query<{ id: bigint }>("select max(id) as id from verifications");
  const key = await openDocumentKey(database, { kycKey: null, sandbox: true });
  const stored = await readDocuments(database.kysely, rows[0]?.id ?? 0n, key);
  if (stored.kind !== "readable") throw new Error("the photo is stored");
  const bytes = Buffer.from(stored.documents.photos.get("face") ?? []);
  expect((await sharp(bytes).metadata()).format).toBe("jpeg");
  expect(bytes.includes("script")).toBe(false);
});
