import { expect, it } from "vitest";
import { OverloadError } from "../overload-error.ts";
import { createTurns } from "./turns.ts";

/** Work that ends when the test says so. */
function gatedWork(limits: Partial<Parameters<typeof createTurns>[0]> = {}) {
  const turns = createTurns({ atATime: 2, waitMs: 60_000, ...limits });
  const began: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const start = (name: string, at: number) => {
    const id = `${name}${at}`;
    const gate = Promise.withResolvers<void>();
    gates.set(id, gate);
    return turns(name, async () => {
      began.push(id);
      await gate.promise;
      return id;
    });
  };
  return { turns, began, start, end: (id: string) => gates.get(id)?.resolve() };
}

it("runs one piece of work at a time for each name, and lets names take turns", async () => {
  const { began, start, end } = gatedWork();
  const work = [start("a", 1), start("a", 2), start("a", 3), start("b", 1), start("c", 1)];
  await new Promise((resolve) => setImmediate(resolve));
  expect(began).toEqual(["a1", "b1"]);
  for (const id of ["a1", "a2", "b1", "c1", "a3"]) {
    end(id);
    await work[["a1", "a2", "a3", "b1", "c1"].indexOf(id)];
  }
  expect(began).toEqual(["a1", "b1", "a2", "c1", "a3"]);
});

it("is passed on by work that fails", async () => {
  const { turns, start, end, began } = gatedWork({ atATime: 1 });
  const failing = turns("a", async () => {
    throw new Error("no");
  });
  const after = start("a", 1);
  await expect(failing).rejects.toThrow("no");
  end("a1");
  expect(await after).toBe("a1");
  expect(began).toEqual(["a1"]);
});

it("refuses whoever has waited too long, and runs nothing for them", async () => {
  const { began, start, end } = gatedWork({ waitMs: 5 });
  const first = start("a", 1);
  const refused = start("a", 2);
  await expect(refused).rejects.toMatchObject({ code: "ERR_SERVICE_UNAVAILABLE", retryAfterSeconds: 2 });
  await expect(refused, "a client's doing, no error of the log").rejects.toBeInstanceOf(OverloadError);
  end("a1");
  await first;
  const third = start("a", 3);
  end("a3");
  expect(await third).toBe("a3");
  expect(began).toEqual(["a1", "a3"]);
});
