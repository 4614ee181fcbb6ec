import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "./log.ts";
import { createSecurityLog, openSecurityLog, securityEventSchema } from "./security-log.ts";
import { StartupError } from "../processes/startup-error.ts";

const log = createLog({ level: "silent" });
const written = () => {
  const lines: string[] = [];
  return { lines, securityLog: createSecurityLog((line) => void lines.push(line), log) };
};
const refusal = { event: "launch.refused", client: "10.0.0.1", route: "/x", traceId: "t-1" } as const;

test("an event is one line of JSON of its own stream, with its time and the schema's version", () => {
  const { lines, securityLog } = written();
  securityLog.record({ ...refusal, repeated: 3 });

  expect(lines).toHaveLength(1);
  const line: unknown = JSON.parse(lines[0] ?? "");
  expect(line).toEqual({
    ...refusal,
    repeated: 3,
    stream: "security",
    schema: 2,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  expect(securityEventSchema.parse(line)).toEqual({ ...refusal, repeated: 3 });
});

test("foreign text neither breaks a line nor makes it long, and what the schema doesn't name is not written", () => {
  const { lines, securityLog } = written();
  const event = { ...refusal, client: `\r\n{"event":"forged"}\u202e${"x".repeat(1_000)}`, accessToken: "hunter2" };
  securityLog.record(event);

  expect(lines.join("").trimEnd().split(/\r|\n/)).toHaveLength(1);
  expect(lines[0]?.length).toBeLessThan(600);
  expect(lines[0]).not.toContain("hunter2");
});

test("the file keeps what it held, has each event at once, and is its owner's alone", () => {
  const folder = mkdtempSync(join(tmpdir(), "wherry-security-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "new", "security.log");

  openSecurityLog(file, log).record(refusal);
  openSecurityLog(file, log).record({ event: "hold.ended", subject: "payout 1", reason: "dust" });

  const events = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(events.map((line) => securityEventSchema.parse(JSON.parse(line)).event)).toEqual([
    "launch.refused",
    "hold.ended",
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a full disk is said by the other log, and stops nothing", () => {
  let said = "";
  const loud = createLog({ level: "error", destination: { write: (line) => void (said += line) } });
  const full = openSecurityLog("/dev/full", loud);

  expect(full.record(refusal)).toBe(false);
  expect(said).toContain("a security event could not be written");
  expect(said).toContain("ENOSPC");
});

test("a file that can't be opened stops the start", () => {
  for (const file of ["/dev/null/security.log", "/proc/x/security.log"])
    expect(() => openSecurityLog(file, log)).toThrow(StartupError);
});
