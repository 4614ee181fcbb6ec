import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { startEmbed } from "./app/embed/start-embed.tsx";

// A task of its own, as the app's. A transition hydrates in slices, so that it does not block the first input.
setTimeout(() => startEmbed((root, app) => startTransition(() => void hydrateRoot(root, app))));
