import { useMemo } from "react";
import useSWR, { useSWRConfig } from "swr";
import * as z from "zod/mini";
import { useOnline } from "../browser/connectivity.ts";
import { localStore, readJson } from "../browser/storage.ts";
import { LAST_SEEN_KEY } from "./account-store.ts";

/** Pages far down a list aren't worth their place. */
const MAX_ANSWERS = 24;

/** Of one user: the next one on the device finds nothing. */
const savedSchema = z.object({
  userId: z.int(),
  answers: z.array(z.object({ name: z.string(), at: z.iso.datetime(), answer: z.unknown() })),
});

/** A zod schema, whichever build of zod it is of. */
type Schema<Answer> = { safeParse(value: unknown): { data?: Answer | undefined } };

export type Seen<Answer> = {
  /** Undefined while it is loading, and where it could not be loaded and was never seen. */
  readonly data: Answer | undefined;
  /** When it was answered, ISO-8601, where it may be out of date: without a network, or after a call that failed. */
  readonly seenAt: string | null;
  /** Nothing can be displayed: neither an answer nor one of before. */
  readonly hasFailed: boolean;
  readonly isLoading: boolean;
  /** With what is known already, where a call has answered it. */
  reload(known?: Answer): Promise<void>;
};

type SeenOptions<Answer> = {
  readonly isStored?: boolean;
  /** In how many milliseconds it is loaded again; 0 is never. */
  readonly refreshInterval?: (known: Answer | undefined) => number;
};

const NEVER = () => 0;

/**
 * Something of the account, loaded anew with each visit, and as it was seen last where that fails. `name` tells it from all others of
 * the account, its query included; without `isStored` nothing of it stays on the device.
 */
export function useSeen<Answer>(
  userId: number,
  name: string,
  schema: Schema<Answer>,
  load: () => Promise<Answer>,
  { isStored = true, refreshInterval = NEVER }: SeenOptions<Answer> = {},
): Seen<Answer> {
  const isOnline = useOnline();
  const { data, error, isValidating, mutate } = useSWR<Answer, Error>(
    [SEEN, userId, name],
    async () => {
      const answer = await load();
      if (isStored) saveAnswer(userId, name, answer);
      return answer;
    },
    { refreshInterval },
  );
  const isOutdated = !isOnline || error !== undefined;
  const saved = useMemo(
    () => (isOutdated ? readAnswer(userId, name, schema) : null),
    [isOutdated, userId, name, schema],
  );
  return {
    data: data ?? saved?.answer,
    seenAt: saved?.at ?? null,
    hasFailed: isOutdated && data === undefined && saved === null && !(isOnline && isValidating),
    isLoading: isValidating,
    reload: async (known) => void (await mutate(known)),
  };
}

const SEEN = "seen";

/** Loads again all of the account that is on the screen. */
export function useReloadSeen(): () => Promise<unknown> {
  const { mutate } = useSWRConfig();
  return () => mutate((key) => Array.isArray(key) && key[0] === SEEN);
}

function saveAnswer(userId: number, name: string, answer: unknown): void {
  const saved = readJson(localStore, LAST_SEEN_KEY, savedSchema);
  const others = saved?.userId === userId ? saved.answers.filter((other) => other.name !== name) : [];
  const answers = [{ name, at: new Date().toISOString(), answer }, ...others].slice(0, MAX_ANSWERS);
  localStore.set(LAST_SEEN_KEY, JSON.stringify({ userId, answers }));
}

function readAnswer<Answer>(userId: number, name: string, schema: Schema<Answer>) {
  const saved = readJson(localStore, LAST_SEEN_KEY, savedSchema);
  const found = saved?.userId === userId ? saved.answers.find((other) => other.name === name) : undefined;
  const answer = found === undefined ? undefined : schema.safeParse(found.answer).data;
  return found === undefined || answer === undefined ? null : { at: found.at, answer };
}
