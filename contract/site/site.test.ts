import { describe, expect, it } from "vitest";
import { redirectsSchema } from "./site.ts";

const read = (rule: unknown) => redirectsSchema.parse([rule])[0];

describe("a redirect of the server (spec §2, guard 6)", () => {
  it("is temporary unless it says otherwise", () => {
    expect(read({ from: "/old", to: "/new" })).toEqual({ from: "/old", to: "/new", status: 302 });
    expect(read({ from: "/", to: "https://a.example/x?y#z", status: 308 })?.status).toBe(308);
  });

  it.each([
    { from: "old", to: "/new" },
    { from: "/old/", to: "/new" },
    { from: "/old//x", to: "/new" },
    { from: "/old?x=1", to: "/new" },
    { from: "/old", to: "//evil.example" },
    { from: "/old", to: "/\\evil.example" },
    { from: "/old", to: "javascript:alert(1)" },
    { from: "/old", to: "https://" },
    { from: "/old", to: "/new", status: 200 },
    { from: "/old" },
  ])("is refused: %j", (rule) => {
    expect(redirectsSchema.safeParse([rule]).success).toBe(false);
  });
});
