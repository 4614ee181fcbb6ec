import { type PointerEvent, type RefObject, useRef } from "react";

/** Let go as far down, or moving as fast (pixels a millisecond), a sheet closes; else it goes back to its place. */
const FAR_PX = 120;
const FAST = 0.5;

type Drag = { readonly pointer: number; readonly from: number; readonly at: number };

/**
 * Handlers of the part by which a bottom sheet is dragged down to close it; nothing is lost without a finger, since a button does the
 * same. A dialog in the middle of a wide page stays where it is.
 */
export function useSheetDrag(sheet: RefObject<HTMLElement | null>, onClose: () => void) {
  const drag = useRef<Drag | null>(null);

  const distance = ({ clientY }: PointerEvent, { from }: Drag): number => Math.max(0, clientY - from);

  const end = (event: PointerEvent, isLetGo: boolean) => {
    const { current: ended } = drag;
    const { current: element } = sheet;
    if (ended?.pointer !== event.pointerId || element === null) return;
    drag.current = null;
    element.style.transition = "";
    const moved = distance(event, ended);
    if (isLetGo && (moved > FAR_PX || moved / Math.max(1, event.timeStamp - ended.at) > FAST)) onClose();
    // After the closing has begun, so that it goes on from where the finger left the sheet.
    requestAnimationFrame(() => {
      element.style.translate = "";
    });
  };

  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const { target, isPrimary, button, pointerId, clientY, timeStamp } = event;
      const isOnControl = target instanceof Element && target.closest("button, a, input") !== null;
      const isSheet = sheet.current?.closest("[data-layout=wide]") === null;
      if (!isPrimary || button !== 0 || isOnControl || !isSheet) return;
      event.currentTarget.setPointerCapture(pointerId);
      drag.current = { pointer: pointerId, from: clientY, at: timeStamp };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (drag.current?.pointer !== event.pointerId || sheet.current === null) return;
      sheet.current.style.transition = "none";
      sheet.current.style.translate = `0 ${distance(event, drag.current)}px`;
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => end(event, true),
    onPointerCancel: (event: PointerEvent<HTMLElement>) => end(event, false),
  };
}
