import { randomInt } from "node:crypto";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { calls } from "#contract/calls.ts";
import { SANDBOX_BOT_TOKEN } from "../../server/config/telegram.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { eventually } from "../support/eventually.ts";
import { Api } from "../support/http/api.ts";
import { ServerProcess } from "../support/processes/server-process.ts";
import { launchData } from "../support/services/launch-data.ts";
import { encodeForm, sampleForm, samplePhoto } from "../support/http/verification-form.ts";

let database: TestDatabase;
let server: ServerProcess;
beforeAll(async () => {
  database = await freshDatabase({ max: 2 });
  server = await ServerProcess.start({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await server.end();
  await database.drop();
});

async function signedIn(): Promise<string> {
  const user = JSON.stringify({ id: randomInt(1, 1_000_000_000) });
  const initData = launchData(SANDBOX_BOT_TOKEN, { auth_date: String(Math.floor(Date.now() / 1000)), user });
  const { accessToken } = await new Api(server.url).call("createByTelegram", { body: { initData } });
  return accessToken;
}

/** Another client on this machine than all others here. */
const SLOW_CLIENT = "127.0.0.2";
/** More than forms are read at a time. */
const SLOW_FORMS = 9;

/** Sends the first half of a form and leaves the connection open. */
async function beginUpload(token: string, localAddress?: string): Promise<{ socket: Socket; rest: Buffer }> {
  const large = await samplePhoto("png", { width: 3_000, height: 2_000 });
  const { payload, contentType } = await encodeForm(await sampleForm({ facePhoto: large }));
  const { hostname, port, host } = new URL(server.url);
  const socket = connect({ port: Number(port), host: hostname, localAddress });
  socket.on("error", () => socket.destroy());
  socket.write(
    `POST ${calls.submitVerification.path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: ${contentType}\r\ncontent-length: ${payload.length}\r\n\r\n`,
  );
  const half = Math.floor(payload.length / 2);
  socket.write(payload.subarray(0, half));
  await eventually("the server reads the form", async () => {
    const { rows } = await database.pool.query("select from verification_tries");
    return rows.length > 0 || null;
  });
  return { socket, rest: payload.subarray(half) };
}

const countOf = async (table: "verifications" | "verification_documents") =>
  (await database.pool.query(`select from ${table}`)).rowCount;

const submitWhole = async (token: string) => {
  const { method, path } = calls.submitVerification;
  const headers = { authorization: `Bearer ${token}` };
  return new Api(server.url).send({ method, path, form: await sampleForm(), headers });
};

it("a web process that is killed in the middle of an upload leaves nothing of it, and the form can be sent again", async () => {
  const token = await signedIn();
  const { socket } = await beginUpload(token);
  await server.kill9();
  socket.destroy();
  expect(await countOf("verifications")).toBe(0);
  expect(await countOf("verification_documents")).toBe(0);
  await server.restart();
  expect((await submitWhole(token)).status).toBe(200);
  expect(await countOf("verification_documents")).toBe(4);
});

it("a person whose connection breaks in the middle of an upload sends again, and no error is logged", async () => {
  const token = await signedIn();
  await database.pool.query("truncate verification_tries");
  const before = server.output.length;
  const { socket } = await beginUpload(token);
  socket.destroy();
  await eventually("the form is taken", async () => ((await submitWhole(token)).status === 200 ? true : null));
  expect(server.output.slice(before).filter((line) => /"level":"(?:error|fatal)"/.test(line))).toEqual([]);
});

it("uploads of one client that stand still keep nobody else from sending theirs", async () => {
  const tokens = await Promise.all(Array.from({ length: SLOW_FORMS }, signedIn));
  const slow = await Promise.all(tokens.map((token) => beginUpload(token, SLOW_CLIENT)));
  expect((await submitWhole(await signedIn())).status).toBe(200);
  for (const { socket } of slow) socket.destroy();
});
