import { get, update } from "idb-keyval";
import { createKeptOrders, type KeptOrders } from "./kept-orders.ts";

/** The orders kept in this browser's IndexedDB. */
export const deviceOrders: KeptOrders = createKeptOrders({ get, update });
