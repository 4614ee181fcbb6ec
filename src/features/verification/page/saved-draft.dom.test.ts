import { beforeEach, expect, test, vi } from "vitest";
import { type Draft, emptyDraft } from "../model/draft.ts";
import { readDraft, saveDraft } from "./saved-draft.ts";

const stored = new Map<string, unknown>();
vi.mock("idb-keyval", () => ({
  get: async (key: string) => stored.get(key),
  set: async (key: string, value: unknown) => void stored.set(key, value),
  del: async (key: string) => void stored.delete(key),
}));

beforeEach(() => stored.clear());

const NOW = Date.parse("2026-11-23T10:00:00Z");
const HOUR = 3_600_000;
const photo = new Blob(["photo"]);
const whole: Draft = {
  ...emptyDraft(),
  step: "UPLOADING_DOCS",
  issueCountry: "NO",
  identityType: "passport",
  firstName: "Marit",
  lastName: "Larsen",
  birthDate: "1990-04-02",
  identityNumber: "NO 48 213 907",
  expireDate: "2031-03-14",
  photos: { facePhoto: photo },
};

const keep = (draft: unknown) => stored.set("wherry-verification", { userId: 7, savedAt: NOW, draft });

test("a draft is read again by whom it is of, for a day", async () => {
  await saveDraft(7, whole, NOW);
  expect(await readDraft(7, NOW + 23 * HOUR)).toEqual(whole);
  expect(await readDraft(7, NOW + 24 * HOUR)).toBeNull();
  expect(stored.size).toBe(0);
});

test("somebody else's is deleted", async () => {
  await saveDraft(7, whole, NOW);
  expect(await readDraft(8, NOW)).toBeNull();
  expect(stored.size).toBe(0);
});

test.each([
  ["a step of another name", { ...whole, step: "RESIDENCE" }],
  ["a field less", { step: "TYPE_ID" }],
  ["a photo of another kind", { ...whole, photos: { facePhoto: "data:image/jpeg" } }],
  ["nothing in it", null],
])("one with %s, as another build wrote it, is deleted", async (_, draft) => {
  keep(draft);
  expect(await readDraft(7, NOW)).toBeNull();
  expect(stored.size).toBe(0);
});

test.each<[string, Partial<Draft>, Draft["step"]]>([
  ["no country", { issueCountry: "" }, "RESIDENTIAL"],
  ["no document", { identityType: null }, "TYPE_ID"],
  ["no day on which it ends", { expireDate: "" }, "PERSONAL_INFO"],
  ["a document that has ended since", { expireDate: "2026-11-22" }, "PERSONAL_INFO"],
])("one with %s goes on where that is asked", async (_, changes, step) => {
  await saveDraft(7, { ...whole, ...changes }, NOW);
  expect((await readDraft(7, NOW))?.step).toBe(step);
});
