import type { ReactNode } from "react";
import type { AccountSnapshot } from "./account.ts";

/** What every page of the profile gets: who is signed in. A page takes of it what it needs. */
export type ProfilePageProps = {
  readonly account: AccountSnapshot;
  /** The account is gone: forgets it on this device. */
  readonly onDeleted: () => Promise<void>;
  /** What another feature adds to the page. */
  readonly children?: ReactNode;
};
