import type { Page } from "@playwright/test";

/** What the app has saved on the device under this key, as JSON; empty before the app has made its database, `null` without the key. */
export const savedIn = (page: Page, key: string): Promise<string> => page.evaluate(read, key);

const read = (key: string): Promise<string> =>
  new Promise((done) => {
    const opening = indexedDB.open("keyval-store");
    // Created here, the database would lack the app's store, and nothing could ever be saved in it.
    opening.addEventListener("upgradeneeded", () => opening.transaction?.abort());
    opening.addEventListener("error", () => done(""));
    opening.addEventListener("success", () => {
      const database = opening.result;
      const reading = database.transaction("keyval").objectStore("keyval").get(key);
      reading.addEventListener("success", () => {
        database.close();
        done(JSON.stringify(reading.result ?? null));
      });
    });
  });
