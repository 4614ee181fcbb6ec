import { announceUpdate, checkForUpdate } from "./updates.ts";

/** Registers `/sw.js` and tells of the build that it has ready; rejects where the browser refuses workers, as third-party frames do. */
export async function registerWorker(): Promise<void> {
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (container === undefined) return;
  const registration = await container.register("/sw.js", { updateViaCache: "none" });
  if (registration.waiting !== null) await tellOfUpdate();
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    worker?.addEventListener("statechange", () => {
      // The very first worker has nothing to take over from.
      if (worker.state === "installed" && container.controller !== null) void tellOfUpdate();
    });
  });
}

/** The build's own file names the build; without it the waiting worker itself is the sign. */
async function tellOfUpdate(): Promise<void> {
  if (!(await checkForUpdate())) announceUpdate("worker");
}
