import type { Plugin } from "vite";

const FILES: Readonly<Record<string, string>> = {
  "IOSSpinner.js": 'export { BaseSpinner as IOSSpinner } from "../BaseSpinner/BaseSpinner";',
  "large.js": 'export { IconSmall as IconLarge } from "./small";',
  "medium.js": 'export { IconSmall as IconMedium } from "./small";',
  "small.js": `
    import { jsx } from "react/jsx-runtime";
    const ring = { d: "M12 3a9 9 0 1 1-7.8 4.5", stroke: "currentColor", strokeWidth: 2.2, strokeLinecap: "round" };
    const box = { width: 24, height: 24, viewBox: "0 0 24 24", fill: "none" };
    export const IconSmall = ({ children }) => jsx("svg", { ...box, children: jsx("path", { ...ring, children }) });`,
};

/**
 * One ring for every size and platform: spinners are small (src/shared/ui/feedback/spinner.tsx), and each of telegram-ui's for Apple is
 * 11 kB of drawings. Its small one is drawn here without the id that two on a page would share.
 */
export const oneSpinner = (): Plugin => ({
  name: "wherry:one-spinner",
  enforce: "pre",
  load: {
    filter: { id: /\/(?:IOSSpinner\/IOSSpinner|BaseSpinner\/icons\/(?:large|medium|small))\.js$/ },
    handler: (id) => FILES[id.slice(id.lastIndexOf("/") + 1)] ?? null,
  },
});
