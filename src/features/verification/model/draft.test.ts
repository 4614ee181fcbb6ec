import { describe, expect, test } from "vitest";
import { submitVerificationBodySchema } from "#contract/accounts/verification.ts";
import { checkStep, type Draft, emptyDraft, photosLeft, photosOf, toForm } from "./draft.ts";

const TODAY = "2026-11-23";
const photo = new Blob(["photo"]);
const whole: Draft = {
  ...emptyDraft(),
  step: "UPLOADING_DOCS",
  issueCountry: "NO",
  identityType: "idcard",
  firstName: " Marit ",
  lastName: "O’Neill-Larsen",
  birthDate: "1990-04-02",
  identityNumber: "NO 48 213 907",
  expireDate: "2031-03-14",
  photos: { frontPhoto: photo, backendPhoto: photo, facePhoto: photo },
};
const wrong = (changes: Partial<Draft>, step: Draft["step"] = "PERSONAL_INFO") =>
  Object.keys(checkStep(step, { ...whole, ...changes }, TODAY));

describe("a step", () => {
  test.each<[string, Partial<Draft>, string[]]>([
    ["nothing typed", emptyDraft(), ["firstName", "lastName", "birthDate", "identityNumber", "expireDate"]],
    ["a whole form", {}, []],
    ["Cyrillic", { firstName: "Анна-Мария", lastName: "Д’Артаньян" }, []],
    ["a name of signs", { firstName: "<b>" }, ["firstName"]],
    ["a birth today", { birthDate: TODAY }, ["birthDate"]],
    ["a birth in another age", { birthDate: "1899-12-31" }, ["birthDate"]],
    ["no day", { birthDate: "1990-02-31" }, ["birthDate"]],
    ["an expired document", { expireDate: "2026-11-22" }, ["expireDate"]],
    ["a document of today", { expireDate: TODAY }, []],
    ["a document without an end", { expireDate: "", hasNoEnd: true }, []],
    ["a short number", { identityNumber: "1" }, ["identityNumber"]],
  ])("says what is wrong with %s", (_, changes, fields) => {
    expect(wrong(changes)).toEqual(fields);
  });

  test("asks for the country and the document first", () => {
    expect(wrong({ issueCountry: "" }, "RESIDENTIAL")).toEqual(["issueCountry"]);
    expect(wrong({ identityType: null }, "TYPE_ID")).toEqual(["identityType"]);
    expect(wrong({}, "GET_READY")).toEqual([]);
  });
});

describe("the photos", () => {
  test("are the document's sides and the face; a passport has one side", () => {
    expect(photosOf(whole)).toEqual(["frontPhoto", "backendPhoto", "facePhoto"]);
    expect(photosOf({ identityType: "passport" })).toEqual(["frontPhoto", "facePhoto"]);
    expect(photosLeft({ ...whole, photos: { frontPhoto: photo } })).toBe(2);
  });
});

describe("the form", () => {
  test("is what the contract takes", () => {
    const form = toForm(whole, TODAY);
    expect(submitVerificationBodySchema.safeParse(form).success).toBe(true);
    expect(form).toMatchObject({ firstName: "Marit", expireDate: "2031-03-14" });
    expect(toForm({ ...whole, hasNoEnd: true }, TODAY)).toMatchObject({ expireDate: "2099-01-01" });
  });

  test("of a passport has no back, even where one was taken before", () => {
    expect(toForm({ ...whole, identityType: "passport" }, TODAY)).not.toHaveProperty("backendPhoto");
  });

  test.each<[string, Partial<Draft>]>([
    ["a photo", { photos: { frontPhoto: photo, backendPhoto: photo } }],
    ["the back of a card", { photos: { frontPhoto: photo, facePhoto: photo } }],
    ["a name", { lastName: "" }],
    ["the document", { identityType: null }],
  ])("is none without %s", (_, changes) => {
    expect(toForm({ ...whole, ...changes }, TODAY)).toBeNull();
  });
});
