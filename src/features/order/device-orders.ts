import { get, update } from "idb-keyval";
import { createSavedOrders, type SavedOrders } from "./kept-orders.ts";

/** The orders kept in this browser's IndexedDB. */
export const savedOrders: SavedOrders = createSavedOrders({ get, update });
