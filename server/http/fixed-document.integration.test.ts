import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { noDatabase } from "../../tests/support/database/no-database.ts";
import { testApp, type TestApp } from "../../tests/support/http/http-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp(noDatabase());
});
afterAll(() => app[Symbol.asyncDispose]());

it.each(["/api/openapi.json", "/api/v2/partner/openapi.json"])(
  "%s is written once, compressed, and not sent again to whoever has it",
  async (url) => {
    const get = (headers: Record<string, string> = {}) => app.inject({ url, headers });
    const plain = await get();
    const stringify = vi.spyOn(JSON, "stringify");
    const [br, gzip] = [await get({ "accept-encoding": "gzip, br" }), await get({ "accept-encoding": "gzip" })];
    const large = stringify.mock.results.filter(({ value }) => String(value).length > 10_000);
    stringify.mockRestore();
    expect(large).toEqual([]);
    expect([plain, br, gzip].map(({ headers }) => headers["content-encoding"])).toEqual([undefined, "br", "gzip"]);
    expect(plain.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      vary: "accept-encoding",
      "cache-control": "no-cache",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
    });
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    // As small as Brotli can make it, whatever the document says.
    const smallest = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    expect(br.rawPayload.length).toBe(brotliCompressSync(plain.rawPayload, smallest).length);
    const again = await get({ "if-none-match": String(plain.headers["etag"]) });
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
  },
);
