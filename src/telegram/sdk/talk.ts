import { type LaunchPlace, clipboardOf } from "./client-clipboard.ts";
import type { Client } from "./client.ts";
import { contactOf } from "../contact.ts";
import { homeScreenOf } from "./home-screen.ts";
import { linksOf } from "./links.ts";
import { popupsOf } from "./popups.ts";
import { scannerOf } from "../scanner.ts";
import { settingsButtonOf } from "./settings-button.ts";

type Launch = { readonly version: string; readonly platform: string; readonly place: LaunchPlace };

/** What the client is asked to do for its reader, and answers, or doesn't. */
export const talkOf = (client: Client, { place, ...about }: Launch) => ({
  ...popupsOf(client),
  ...scannerOf(client, about),
  ...clipboardOf(client, place),
  ...linksOf(client),
  ...homeScreenOf(client),
  ...contactOf(client),
  ...settingsButtonOf(client),
});
