/** Longer than from a press to its release; without a press nothing is waited for that anyone would see. */
const NO_PRESS_MS = 300;

/**
 * Runs what moves the page only once the press that is under way has become a click: a layout that changes in between takes the
 * click away from what was pressed.
 */
export function afterPress(done: () => void): void {
  const finish = () => {
    clearTimeout(timer);
    removeEventListener("pointerup", released);
    done();
  };
  // The click comes right after the release, in the same task.
  const released = () => void setTimeout(finish);
  const timer = setTimeout(finish, NO_PRESS_MS);
  addEventListener("pointerup", released, { once: true });
}
