import { afterEach, expect, it } from "vitest";
import { readCookie } from "./cookies.ts";

const set = (cookie: string) => void (document.cookie = `${cookie}; Path=/`);

afterEach(() => {
  for (const name of ["ref", "ref2"]) set(`${name}=; Max-Age=0`);
});

it("returns the decoded value of the cookie with exactly this name", () => {
  expect(readCookie("ref")).toBeNull();
  set("ref2=other");
  expect(readCookie("ref")).toBeNull();
  set(`ref=${encodeURIComponent("a b=ж")}`);
  expect(readCookie("ref")).toBe("a b=ж");
});

it("returns nothing where another program has written what is not encoded", () => {
  set("ref=100%");
  expect(readCookie("ref")).toBeNull();
});
