import type { Order } from "#contract/order.ts";

/** What is sent to the page around the widget (contract §14): never an id or an address, which would open the order. */
type ParentMessage =
  | { readonly type: "ready" }
  | { readonly type: "height"; readonly height: number }
  | { readonly type: "order-created" | "order-updated"; readonly reference: string; readonly status: string };

/** Where `postMessage` is; `window` in the browser. */
type Place = { readonly parent: Place; postMessage(message: unknown, origin: string): void };

export type Parent = {
  readonly ready: () => void;
  /** Told once for each new height. */
  readonly height: (px: number) => void;
  /** Told when it is first seen, and at each status that it comes to. */
  readonly order: (order: Pick<Order, "reference" | "status">) => void;
};

/** Tells the page of this origin, and no other; nobody without one, and nobody where the widget is in no frame. */
export function createParent(parentOrigin: string | null, place: Place): Parent {
  const statuses = new Map<string, string>();
  let lastHeight = 0;
  const tell = (message: ParentMessage): void => {
    if (parentOrigin === null || place.parent === place) return;
    place.parent.postMessage({ source: "wherry", ...message }, parentOrigin);
  };
  return {
    ready: () => tell({ type: "ready" }),
    height: (px) => {
      const height = Math.ceil(px);
      if (height === lastHeight) return;
      lastHeight = height;
      tell({ type: "height", height });
    },
    order: ({ reference, status }) => {
      const before = statuses.get(reference);
      if (before === status) return;
      statuses.set(reference, status);
      tell({ type: before === undefined ? "order-created" : "order-updated", reference, status });
    },
  };
}
