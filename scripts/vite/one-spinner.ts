import type { Plugin } from "vite";

const FILES: Readonly<Record<string, string>> = {
  "IOSSpinner.js": 'export { BaseSpinner as IOSSpinner } from "../BaseSpinner/BaseSpinner";',
  "large.js": 'export { IconSmall as IconLarge } from "./small";',
  "medium.js": 'export { IconSmall as IconMedium } from "./small";',
};

/**
 * One ring for every size and platform: spinners are small (src/shared/ui/feedback/spinner.tsx), and each of telegram-ui's for Apple is
 * 11 kB of drawings with ids, which two on a page would share.
 */
export const oneSpinner = (): Plugin => ({
  name: "wherry:one-spinner",
  enforce: "pre",
  load: {
    filter: { id: /\/(?:IOSSpinner\/IOSSpinner|BaseSpinner\/icons\/(?:large|medium))\.js$/ },
    handler: (id) => FILES[id.slice(id.lastIndexOf("/") + 1)] ?? null,
  },
});
