import { proxy, subscribe } from "valtio";

type Area = "localStorage" | "sessionStorage";

/** Storage that never throws: where the browser denies it, values live as long as the page. */
export type Store = {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
};

function createStore(area: Area): Store {
  /** What the browser did not take. */
  const memory = new Map<string, string>();
  const attempt = <Result>(access: (storage: Storage) => Result, otherwise: () => Result): Result => {
    try {
      return access(globalThis[area]);
    } catch {
      // Denied by the browser, or full: the copy in memory serves.
      return otherwise();
    }
  };
  return {
    get: (key) =>
      memory.get(key) ??
      attempt(
        (storage) => storage.getItem(key),
        () => null,
      ),
    set: (key, value) =>
      attempt(
        (storage) => {
          storage.setItem(key, value);
          memory.delete(key);
        },
        () => void memory.set(key, value),
      ),
    remove: (key) => {
      memory.delete(key);
      attempt(
        (storage) => storage.removeItem(key),
        () => undefined,
      );
    },
  };
}

/** What the browser keeps, and what it keeps until its tab is closed; where it denies storage, the page's memory holds both. */
export const localStore: Store = createStore("localStorage");
export const sessionStore: Store = createStore("sessionStorage");

/** A zod schema. Its type alone, because the first load has no zod. */
type Schema<Value> = { safeParse(value: unknown): { data?: Value | undefined } };

/** A store's JSON in the shape of a schema; null where there is none, or something else wrote it. */
export function readJson<Value>(store: Store, key: string, schema: Schema<Value>): Value | null {
  const text = store.get(key);
  return text === null ? null : parseJson(text, schema);
}

/** Null for what is no JSON (written by something else, or truncated), and for another shape. */
export function parseJson<Value>(text: string, schema: Schema<Value>): Value | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    console.debug("saved JSON can't be read", error);
    return null;
  }
}

/**
 * A value that this browser keeps, as valtio state: saved when it changes, and read again when another tab has changed it. `read`
 * takes whatever may stand there; `write` gives null for a value that is kept by its absence.
 */
export function persisted<Value>(
  key: string,
  read: (saved: string | null) => Value,
  write: (value: Value) => string | null,
): { value: Value } {
  const state: { value: Value } = proxy({ value: read(localStore.get(key)) });
  const save = () => {
    const text = write(state.value);
    if (text === null) localStore.remove(key);
    else localStore.set(key, text);
  };
  subscribe(state, save, true);
  // The server has no other tabs.
  (globalThis as Partial<typeof globalThis>).addEventListener?.("storage", (event) => {
    if (event.key === key || event.key === null) state.value = read(localStore.get(key));
  });
  return state;
}
