import sharp from "sharp";
import type { PhotoField } from "#contract/accounts/verification.ts";

type Change = { [Name in PhotoField]?: Uint8Array | null } & Readonly<Record<string, unknown>>;

/** A plain picture with one dot in it. */
export const samplePhoto = (
  format: "jpeg" | "png" | "webp" = "jpeg",
  { width = 640, height = 480, background = "#5a7" }: { width?: number; height?: number; background?: string } = {},
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .composite([
      { input: Buffer.from([200, 40, 90]), raw: { width: 1, height: 1, channels: 3 }, tile: false, left: 9, top: 9 },
    ])
    .toFormat(format)
    .toBuffer();

/** A whole form; a change of null leaves a field out. */
export async function sampleForm(changes: Change = {}): Promise<FormData> {
  const photo = await samplePhoto();
  const fields: Record<string, unknown> = {
    firstName: "Marit",
    lastName: "Larsen",
    issueCountry: "NO",
    birthDate: "1990-04-02",
    expireDate: "2031-03-14",
    identityType: "idcard",
    identityNumber: "48 213 907",
    frontPhoto: photo,
    backendPhoto: photo,
    facePhoto: photo,
    ...changes,
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Uint8Array)
      form.set(name, new File([Uint8Array.from(value)], `${name}.jpg`, { type: "image/jpeg" }));
    else if (typeof value === "string") form.set(name, value);
  }
  return form;
}

/** A form as it goes over the wire. */
export async function encodeForm(form: FormData): Promise<{ payload: Buffer; contentType: string }> {
  const request = new Request("http://form.test", { method: "POST", body: form });
  return {
    payload: Buffer.from(await request.arrayBuffer()),
    contentType: request.headers.get("content-type") ?? "",
  };
}
