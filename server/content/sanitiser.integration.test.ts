import { EventEmitter } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, it } from "vitest";
import { openSanitiser, UnsafeArticleError } from "./sanitiser.ts";

/** Each paragraph opens all of them again: 300 × 20,000 elements of 82 KB. */
const BOMB = `<p>${Array.from({ length: 300 }, (_, n) => `<b id=${n}>`).join("")}${"<p>x".repeat(20_000)}`;

it("a text that grows while it is parsed is refused, stops nothing else and spoils no other text", async () => {
  const sanitise = openSanitiser({ timeoutMs: 3_000, megabytes: 128 });
  expect(await sanitise("<p onclick=x>Fees</p><script>x</script>")).toBe("<p>Fees</p>");
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const bomb = sanitise(BOMB);
  const next = sanitise("<p>Next</p>");
  await expect(bomb).rejects.toThrow(UnsafeArticleError);
  delay.disable();
  expect(delay.max / 1e6).toBeLessThan(2_000);
  expect(await next).toBe("<p>Next</p>");
});

it("a text that is nested too deeply is refused, and the thread goes on", async () => {
  const sanitise = openSanitiser();
  await expect(sanitise("<div>".repeat(50_000))).rejects.toThrow(UnsafeArticleError);
  expect(await sanitise("<p>Next</p>")).toBe("<p>Next</p>");
});

it("a text that takes too long, and too much memory while its thread is ended, is refused", async () => {
  const thread = Object.assign(new EventEmitter(), {
    unref: () => undefined,
    postMessage: () => undefined,
    terminate: async () => {
      thread.emit("error", new Error("Worker terminated due to reaching memory limit"));
      thread.emit("exit", 1);
      return 1;
    },
  });
  const sanitise = openSanitiser({ timeoutMs: 10, megabytes: 1 }, () => thread as never);
  await expect(sanitise("<p>Any</p>")).rejects.toThrow(UnsafeArticleError);
});
