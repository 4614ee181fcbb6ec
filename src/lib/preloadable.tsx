import { type ComponentType, lazy, useState } from "react";

export type Preload = {
  /** The file of its code, from the top of the repository: a rendered page names it, so that the browser asks for it at once. */
  readonly module: string;
  readonly preload: () => Promise<void>;
};

export type Preloadable<Props extends object = object> = Preload & {
  /** Renders at once when it was preloaded; else it suspends until its code is there. */
  readonly Component: ComponentType<Props>;
};

/** A part of a page whose code comes by itself; preloaded, it is rendered on the server and hydrated like any other. */
export function preloadable<Props extends object = object>(
  module: string,
  load: () => Promise<ComponentType<Props>>,
): Preloadable<Props> {
  let Loaded: ComponentType<Props> | null = null;
  const preload = async () => {
    Loaded ??= await load();
  };
  const Late: ComponentType<Props> = lazy(async () => ({ default: (Loaded ??= await load()) }));
  const Component = (props: Props) => {
    // The first choice stays, or what was typed would be lost with a change of type.
    const [Chosen] = useState<ComponentType<Props>>(() => Loaded ?? Late);
    return <Chosen {...props} />;
  };
  return { module, Component, preload };
}
