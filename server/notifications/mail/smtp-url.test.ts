import { describe, expect, it } from "vitest";
import { readSmtpUrl } from "./smtp-url.ts";

const read = (url: string) => readSmtpUrl(url, "https://wherry.test");

describe("SMTP_URL", () => {
  it("names the server, the user and the sender", () => {
    expect(read("smtps://bob:p%40ss@mail.example.org?from=swap@example.org")).toEqual({
      host: "mail.example.org",
      port: 465,
      secure: true,
      requireTLS: false,
      ignoreTLS: false,
      auth: { user: "bob", pass: "p@ss" },
      from: "swap@example.org",
    });
  });

  it.each([
    ["smtp://mail.example.org", "no-reply@wherry.test"],
    ["smtp://orders%40example.org:x@mail.example.org", "orders@example.org"],
  ])("writes from an address that fits: %s", (url, from) => expect(read(url).from).toBe(from));

  it("sends a password to another machine over TLS only", () => {
    expect(read("smtp://bob:secret@mail.example.org").requireTLS).toBe(true);
    expect(read("smtp://bob:secret@127.0.0.1:2525")).toMatchObject({ requireTLS: false, ignoreTLS: true, port: 2525 });
    expect(read("smtp://[::1]:2525")).toMatchObject({ host: "::1", ignoreTLS: true });
  });

  it("refuses an invalid sender address without printing the password", () => {
    const url = "smtp://bob:secret@mail.example.org?from=nobody";
    expect(() => read(url)).toThrow("from must be an email address");
    expect(() => read(url)).not.toThrow(/secret/);
  });
});
