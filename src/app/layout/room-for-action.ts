const GAP_PX = 12;

/** Lifts the toasts of a region above the page's filled button while they would cover it: it scrolls with the page where it isn't pinned. */
export function keepRoomForAction(region: HTMLElement, signal: AbortSignal): void {
  let lift = 0;
  const place = () => {
    const next = neededLift(region, lift);
    if (next === lift) return;
    lift = next;
    region.style.translate = `0 ${-lift}px`;
  };
  const observer = new ResizeObserver(place);
  for (const observed of [region, document.body]) observer.observe(observed);
  const options = { passive: true, signal };
  region.addEventListener("animationend", place, options);
  for (const event of ["scroll", "resize"]) addEventListener(event, place, options);
  signal.addEventListener("abort", () => {
    observer.disconnect();
    region.style.translate = "";
  });
}

/** How far up the toasts must move from where their styles place them, in pixels. */
function neededLift(region: HTMLElement, lift: number): number {
  const toasts = [...region.querySelectorAll(".w-toast")].map((toast) => toast.getBoundingClientRect());
  if (toasts.length === 0) return 0;
  const bottom = Math.max(...toasts.map((toast) => toast.bottom)) + lift;
  const top = Math.min(...toasts.map((toast) => toast.top)) + lift;
  const covered = [...document.querySelectorAll(".w-frame__main .w-action .w-button")]
    .map((button) => button.getBoundingClientRect())
    .filter((button) => button.height > 0 && button.bottom > top && button.top < bottom)
    .filter((button) => toasts.some((toast) => button.right > toast.left && button.left < toast.right));
  return Math.max(0, ...covered.map((button) => Math.ceil(bottom - button.top + GAP_PX)));
}
