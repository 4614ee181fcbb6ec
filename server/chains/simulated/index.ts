export { openSandboxChain, type SandboxChain } from "./network.ts";
export { PROFILES } from "./profiles.ts";
