/** Longer than from a press to its release; without a press nothing is waited for that anyone would see. */
const NO_PRESS_MS = 300;
/** A mouse clicks in the task of its release, a finger some moments later; a drag never does. */
const NO_CLICK_MS = 100;

/**
 * Runs what moves the page only once the press that is under way has become a click: a layout that changes in between takes the
 * click away from what was pressed.
 */
export function afterPress(done: () => void): void {
  const finish = () => {
    clearTimeout(timer);
    removeEventListener("pointerup", released);
    removeEventListener("click", clicked, true);
    done();
  };
  const clicked = () => {
    clearTimeout(timer);
    timer = setTimeout(finish);
  };
  const released = () => {
    clearTimeout(timer);
    timer = setTimeout(finish, NO_CLICK_MS);
    addEventListener("click", clicked, { once: true, capture: true });
  };
  let timer = setTimeout(finish, NO_PRESS_MS);
  addEventListener("pointerup", released, { once: true });
}
