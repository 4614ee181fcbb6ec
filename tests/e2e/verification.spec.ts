import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { APIRequestContext, Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { root } from "../../scripts/lib/run.ts";
import { samplePhoto } from "../support/http/verification-form.ts";
import { requireChromium } from "../../scripts/lib/chromium.ts";
import { expectAccessible } from "../a11y/accessible.ts";
import { flow } from "./support/flow.ts";
import { savedIn } from "./support/saved.ts";
import { expect, test } from "./support/test.ts";
import type { Texts } from "./support/texts.ts";

const PASSWORD = "kTw9-mZr4-qXp2";
const folder = mkdtempSync(join(tmpdir(), "wherry-verification-"));
const camera = join(folder, "camera.y4m");

test.use({
  launchOptions: async ({ launchOptions }, give) => {
    writeFileSync(camera, brightPicture());
    const args = ["--use-fake-device-for-media-stream", `--use-file-for-fake-video-capture=${camera}`];
    await give({ ...launchOptions, executablePath: requireChromium(), args: [...(launchOptions.args ?? []), ...args] });
  },
});
// Not after all tests of a group: the worker may run another one with the same folder.
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** A light picture, 640 by 480, in the format that Chromium's camera reads. */
function brightPicture(): Buffer {
  const [width, height] = [640, 480];
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\nFRAME\n`);
  return Buffer.concat([head, Buffer.alloc(width * height, 200), Buffer.alloc((width * height) / 2, 128)]);
}

/** Runs a command of the admin CLI on the server of these tests. */
const admin = (...words: string[]): string =>
  execFileSync(process.execPath, [join(root, "server/admin-cli.ts"), ...words], {
    env: { ...process.env, SANDBOX: "on", DATA_DIR: process.env["E2E_DATA_DIR"] },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });

/** With the second factor that an administrator needs. */
async function becomeAdministrator(request: APIRequestContext, email: string, origin: string): Promise<void> {
  const asked = { data: { email, password: PASSWORD }, headers: { origin } };
  expect((await request.post("/api/v1/users/local/create", asked)).status()).toBe(201);
  expect((await request.post("/api/v1/users/local/authenticate", asked)).status()).toBe(200);
  const begun = await request.post("/api/v1/users/second-factor/begin", { headers: { origin } });
  const { secret } = (await begun.json()) as { secret: string };
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const confirmed = await request.post("/api/v1/users/second-factor/confirm", { data: { code }, headers: { origin } });
  expect(confirmed.status()).toBe(200);
  admin("account", "grant-admin", email, "of the test", "--as", "test");
}

async function signIn(page: Page, email: string): Promise<void> {
  const data = { email, password: PASSWORD };
  expect((await page.request.post("/api/v1/users/local/create", { data: { ...data, locale: "en" } })).status()).toBe(
    201,
  );
  expect((await page.request.post("/api/v1/users/local/authenticate", { data })).status()).toBe(200);
}

/** The page's controls, by what a person reads. */
const screenOf = (page: Page, { verification: t }: Texts) => ({
  button: (name: string) => page.getByRole("button", { name, exact: true }),
  title: (name: string) => page.getByRole("heading", { level: 2, name, exact: true }),
  row: (name: string) => page.getByRole("listitem").filter({ hasText: name }),
  next: page.getByRole("button", { name: t("next"), exact: true }),
});

flow(
  "a person sends their documents by the camera, goes on after a reload, and reads what happens next",
  async ({ page, open, person, texts, input, context }) => {
    const t = texts.verification;
    const screen = screenOf(page, texts);
    const email = `e2e-${randomBytes(6).toString("hex")}@example.com`;
    await context.grantPermissions(["camera"]);
    await signIn(page, email);
    await open("/profile/verification");
    await expect(screen.title(t("status.NOT_STARTED"))).toBeVisible();
    await person.press(screen.button(t("status.start")));

    await person.press(screen.next);
    const country = page.getByLabel(t("RESIDENTIAL.country"));
    await expect(country).toBeFocused();
    await expect(country).toHaveAccessibleDescription(t("error.issueCountry"));
    await country.selectOption("NO");
    await person.press(screen.next);
    await expect(screen.title(t("TYPE_ID.title"))).toBeFocused();
    await person.choose(page.getByRole("radio", { name: t("TYPE_ID.idcard") }));
    await person.press(screen.next);

    await expect(screen.title(t("PERSONAL_INFO.title"))).toBeVisible();
    await person.press(screen.next);
    await expect(page.getByText(t("error.lastName"))).toBeVisible();
    await expectAccessible(page);
    const field = (name: "firstName" | "lastName" | "identityNumber" | "birthDate") =>
      page.getByLabel(t(`PERSONAL_INFO.${name}`), { exact: true });
    await person.type(field("firstName"), "Marit");
    await person.type(field("lastName"), "Larsen");
    // A keyboard fills the parts of a date in the browser's own order.
    if (input === "keyboard") {
      await person.reach(field("birthDate"));
      await page.keyboard.type("04021990");
    } else await person.type(field("birthDate"), "1990-04-02");
    await expect(field("birthDate")).toHaveValue("1990-04-02");
    await person.type(field("identityNumber"), "48 213 907");
    await person.tick(page.getByRole("checkbox", { name: t("PERSONAL_INFO.noEnd") }));
    await person.press(screen.next);
    await person.press(screen.next);

    await expect(screen.title(t("UPLOADING_DOCS.title"))).toBeVisible();
    const shoot = async (name: string) => {
      await person.press(screen.row(name).getByRole("button", { name: t("photo.take") }));
      const dialog = page.getByRole("dialog", { name });
      const release = dialog.getByRole("button", { name: t("camera.shoot"), exact: true });
      await expect(release).toBeEnabled();
      await person.press(release);
      await expect(dialog).toBeHidden();
      await expect(screen.row(name).getByText(t("photo.ready"))).toBeVisible();
    };
    await shoot(t("photo.frontPhoto"));
    await page.reload();
    await expect(screen.title(t("UPLOADING_DOCS.title"))).toBeVisible();
    await expect(screen.row(t("photo.frontPhoto")).getByText(t("photo.ready"))).toBeVisible();

    const back = page.getByLabel(`${t("photo.upload")} ${t("photo.backendPhoto")}`);
    const dark = await samplePhoto("png", { width: 40, height: 40, background: "#050505" });
    await back.setInputFiles({ name: "dark.png", mimeType: "image/png", buffer: dark });
    await expect(page.getByText(t("photo.problem.dark"))).toBeVisible();
    await back.setInputFiles({ name: "back.png", mimeType: "image/png", buffer: await samplePhoto("png") });
    await expect(screen.row(t("photo.backendPhoto")).getByText(t("photo.ready"))).toBeVisible();
    await shoot(t("photo.facePhoto"));
    await expectAccessible(page);
    await person.press(screen.button(t("UPLOADING_DOCS.submit")));
    await expect(screen.title(t("status.CREATED"))).toBeVisible();
    await expect.poll(() => draftOf(page)).toBe(false);
  },
);

flow(
  "a person whose documents were refused reads why, and may send them again",
  async ({ page, open, person, texts, request }) => {
    const t = texts.verification;
    const screen = screenOf(page, texts);
    await signIn(page, `e2e-${randomBytes(6).toString("hex")}@example.com`);
    const { userId } = (await (await page.request.get("/api/v1/users/account-data")).json()) as { userId: number };
    await open("/profile/verification");
    const sent = await page.evaluate(
      async (photo) => {
        const file = new Blob([Uint8Array.from(atob(photo), (letter) => letter.charCodeAt(0))]);
        const form = new FormData();
        const fields = { firstName: "Marit", lastName: "Larsen", issueCountry: "NO", birthDate: "1990-04-02" };
        for (const [name, value] of Object.entries({ ...fields, identityType: "passport", identityNumber: "48213907" }))
          form.set(name, value);
        form.set("frontPhoto", file);
        form.set("facePhoto", file);
        return (await fetch("/api/v1/users/kyc/submit", { method: "POST", body: form })).status;
      },
      (await samplePhoto("png")).toString("base64"),
    );
    expect(sent).toBe(200);
    await page.reload();
    await expect(screen.title(t("status.CREATED"))).toBeVisible();

    const operator = `op-${randomBytes(6).toString("hex")}@example.com`;
    await becomeAdministrator(request, operator, new URL(page.url()).origin);
    admin("grant", operator, "kyc", "of the test", "--as", "test");
    const id = new RegExp(`^(\\d+)  user ${userId} `, "m").exec(admin("verification", "list"))?.[1] ?? "";
    admin("verification", "open", id, join(folder, id), "of the test", "--as", operator);
    admin("verification", "reject", id, "document_unreadable", "of the test", "--as", operator);
    await page.reload();
    await expect(screen.title(t("status.REJECT"))).toBeVisible();
    await expect(page.getByText(t("reason.document_unreadable"))).toBeVisible();
    await expectAccessible(page);
    await person.press(screen.button(t("status.again")));
    await expect(screen.title(t("RESIDENTIAL.title"))).toBeVisible();
  },
);

/** Whether the device holds a form that was begun. */
const draftOf = async (page: Page): Promise<boolean> =>
  !["", "null"].includes(await savedIn(page, "wherry-verification"));

test.describe("two people on one device", { tag: "@desktop" }, () => {
  test("the second finds nothing of the first one's form (F51)", async ({ page, open, texts }) => {
    const t = texts.verification;
    const screen = screenOf(page, texts);
    await signIn(page, `e2e-${randomBytes(6).toString("hex")}@example.com`);
    await open("/profile/verification");
    await screen.button(t("status.start")).click();
    await page.getByLabel(t("RESIDENTIAL.country")).selectOption("NO");
    await expect.poll(() => draftOf(page)).toBe(true);
    // A page of its own: what is asked of the old one while it comes is lost with it.
    const loaded = page.waitForEvent("load");
    await page.getByRole("button", { name: texts.account("profile.logOut"), exact: true }).click();
    await loaded;
    await expect(page).toHaveURL("/");
    await expect.poll(() => draftOf(page)).toBe(false);
  });
});

test.describe("without a network", { tag: "@desktop" }, () => {
  test("the form shows it, keeps the photos, and sends them once the service is back", async ({
    page,
    open,
    texts,
    context,
  }) => {
    const t = texts.verification;
    const screen = screenOf(page, texts);
    await signIn(page, `e2e-${randomBytes(6).toString("hex")}@example.com`);
    await open("/profile/verification");
    await screen.button(t("status.start")).click();
    await page.getByLabel(t("RESIDENTIAL.country")).selectOption("NO");
    await screen.next.click();
    await page.getByRole("radio", { name: t("TYPE_ID.passport") }).check();
    await screen.next.click();
    await page.getByLabel(t("PERSONAL_INFO.firstName")).fill("Marit");
    await page.getByLabel(t("PERSONAL_INFO.lastName")).fill("Larsen");
    await page.getByLabel(t("PERSONAL_INFO.birthDate")).fill("1990-04-02");
    await page.getByLabel(t("PERSONAL_INFO.identityNumber")).fill("48213907");
    await page.getByRole("checkbox", { name: t("PERSONAL_INFO.noEnd") }).check();
    await screen.next.click();
    await screen.next.click();
    const photo = { name: "photo.png", mimeType: "image/png", buffer: await samplePhoto("png") };
    for (const name of ["frontPhoto_passport", "facePhoto"] as const)
      await page.getByLabel(`${t("photo.upload")} ${t(`photo.${name}`)}`).setInputFiles(photo);
    await expect(screen.button(t("UPLOADING_DOCS.submit"))).toBeEnabled();
    await context.setOffline(true);
    await expect(screen.button(t("UPLOADING_DOCS.offline"))).toBeDisabled();
    await context.setOffline(false);
    await screen.button(t("UPLOADING_DOCS.submit")).click();
    await expect(screen.title(t("status.CREATED"))).toBeVisible();
  });
});
