import { mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLog } from "../../base/logging/log.ts";
import { DevnetError } from "./anvil.ts";
import { keepCopies, repairState, statePath } from "./state-file.ts";

const log = createLog({ level: "silent" });
const WHOLE = '{"blocks":[],"historical_states":null}';
const OTHER_WHOLE = '{"blocks":[]}';

let folder: string;
const backup = () => join(folder, "state.backup.json");
const state = () => readFile(statePath(folder), "utf8");

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wherry-state-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("lets a new chain start where there is none", async () => {
  await repairState(folder, log);
  await expect(state()).rejects.toThrow("ENOENT");
});

it.each([WHOLE, OTHER_WHOLE])("keeps the complete state %s, whatever its copy is", async (text) => {
  await writeFile(statePath(folder), text);
  await writeFile(backup(), "{");
  await repairState(folder, log);
  expect(await state()).toBe(text);
});

it.each(["", "{", '{"blocks":[', WHOLE.slice(0, -1)])(
  "puts the copy in the place of the torn state %j",
  async (torn) => {
    await writeFile(statePath(folder), torn);
    await writeFile(backup(), WHOLE);
    await repairState(folder, log);
    expect(await state()).toBe(WHOLE);
  },
);

it("replaces a missing state by its copy", async () => {
  await writeFile(backup(), WHOLE);
  await repairState(folder, log);
  expect(await state()).toBe(WHOLE);
});

it("starts no new chain over a damaged one", async () => {
  await writeFile(statePath(folder), "{");
  await expect(repairState(folder, log)).rejects.toThrow(DevnetError);
  await rm(statePath(folder));
  await writeFile(backup(), "{");
  await expect(repairState(folder, log)).rejects.toThrow(DevnetError);
});

it("copies a state that has settled, and never one that may still be written", async () => {
  const ending = keepCopies(folder, log);
  await writeFile(statePath(folder), WHOLE);
  const inAMoment = new Date(Date.now() + 60_000);
  await utimes(statePath(folder), inAMoment, inAMoment);
  // One turn of the copying has passed by then.
  await expect(vi.waitFor(() => readFile(backup(), "utf8"), 3_000)).rejects.toThrow("ENOENT");
  const aWhileAgo = new Date(Date.now() - 60_000);
  await utimes(statePath(folder), aWhileAgo, aWhileAgo);
  expect(await vi.waitFor(() => readFile(backup(), "utf8"), 5_000)).toBe(WHOLE);
  ending();
});
