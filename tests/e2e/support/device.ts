import type { Page } from "@playwright/test";

/** All that the page's device holds where its scripts may read it, as one text: storages, databases, caches, cookies, the entry's state. */
export const readDevice = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const finished = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error ?? new Error("a database can't be read")));
      });
    const texts: string[] = [document.cookie, JSON.stringify(history.state)];
    for (const storage of [localStorage, sessionStorage]) texts.push(JSON.stringify(Object.entries(storage)));
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await finished(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const rows = database.transaction(store).objectStore(store);
        texts.push(name, store, JSON.stringify([await finished(rows.getAllKeys()), await finished(rows.getAll())]));
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        texts.push(request.url);
        const type = (await cache.match(request))?.headers.get("content-type") ?? "";
        if (/json|html|text\/plain/.test(type)) texts.push((await (await cache.match(request))?.text()) ?? "");
      }
    }
    return texts.join("\n");
  });
