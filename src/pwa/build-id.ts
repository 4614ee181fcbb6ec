/** The build that this page was loaded with; `dev` while nothing is built. */
export const ownBuild = (): string => document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content ?? "dev";
