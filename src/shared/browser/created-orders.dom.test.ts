import { expect, it, vi } from "vitest";

const KEY = "created-orders:v1";

async function fresh(saved: string | null = null) {
  vi.resetModules();
  localStorage.clear();
  if (saved !== null) localStorage.setItem(KEY, saved);
  return import("./created-orders.ts");
}

it("keeps the forms of the newest twenty orders, each once", async () => {
  const { rememberForm, formOf } = await fresh();
  for (let n = 0; n < 21; n += 1) rememberForm(`order${n}`, `/exchange-eth-btc?amount=${n}`);
  rememberForm("order20", "/exchange-eth-btc?amount=7");
  expect(formOf("order0")).toBeNull();
  expect(formOf("order1")).toBe("/exchange-eth-btc?amount=1");
  expect(formOf("order20")).toBe("/exchange-eth-btc?amount=7");
  expect(JSON.parse(localStorage.getItem(KEY) ?? "[]")).toHaveLength(20);
});

it.each(["no json", "null", "7", '[["id"]]', '[["id","https://elsewhere.example"]]', '[["id",7]]'])(
  "takes nothing from %s",
  async (saved) => {
    vi.spyOn(console, "debug").mockReturnValue();
    const { formOf } = await fresh(saved);
    expect(formOf("id")).toBeNull();
  },
);
