import fastify from "fastify";
import { expect, test } from "vitest";
import { answerError } from "../http/errors.ts";
import { addSecurityTxt } from "./security-txt.ts";

async function read(at: string) {
  const app = fastify();
  app.setErrorHandler(answerError);
  addSecurityTxt(app, {
    contacts: ["mailto:security@wherry.test", "https://wherry.test/report"],
    expires: new Date("2027-06-30T00:00:00Z"),
    publicUrl: "https://wherry.test",
    now: () => new Date(at),
  });
  return app.inject({ url: "/.well-known/security.txt" });
}

test("contains the operator's contacts, their expiry and its own address", async () => {
  const { statusCode, headers, body } = await read("2026-11-21T12:00:00Z");
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect(body.split("\n")).toEqual([
    "Contact: mailto:security@wherry.test",
    "Contact: https://wherry.test/report",
    "Expires: 2027-06-30T00:00:00.000Z",
    "Preferred-Languages: en, ru",
    "Canonical: https://wherry.test/.well-known/security.txt",
    "",
  ]);
});

test("is not found once it has expired", async () => {
  expect((await read("2027-06-30T00:00:00Z")).statusCode).toBe(404);
});
