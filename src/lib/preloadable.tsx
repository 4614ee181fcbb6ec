import { type ComponentType, lazy, Suspense, useState } from "react";

export type Preloadable = {
  /** The file of its code, from the top of the repository: a rendered page names it, so that the browser asks for it at once. */
  readonly module: string;
  /** Renders at once when it was preloaded, else as soon as its code is there. */
  readonly Component: ComponentType;
  readonly preload: () => Promise<void>;
};

/** A part of a page whose code comes by itself; preloaded, it is rendered on the server and hydrated like any other. */
export function preloadable(module: string, load: () => Promise<ComponentType>): Preloadable {
  let Loaded: ComponentType | null = null;
  const preload = async () => {
    Loaded ??= await load();
  };
  const Late = lazy(async () => ({ default: (Loaded ??= await load()) }));
  const Component = () => {
    // The first choice stays, or what was typed would be lost with a change of type.
    const [Chosen] = useState<ComponentType>(() => Loaded ?? Late);
    return (
      <Suspense fallback={null}>
        <Chosen />
      </Suspense>
    );
  };
  return { module, Component, preload };
}
