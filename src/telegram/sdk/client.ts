import { type EventName, type EventPayload, type MethodName, type MethodParams } from "@telegram-apps/sdk-react";

/** A client of Telegram as every capability meets it: what it can be told, and what it tells. */
export type Client = {
  /** Whether a client of this version takes the method, and where one is named, its parameter. */
  can(method: MethodName, parameter?: "color"): boolean;
  /** False where the client is too old for it or fails to take it: neither ever throws. */
  tell<Method extends MethodName>(method: Method, params?: MethodParams<Method>): boolean;
  on<Event extends EventName>(event: Event, listener: (payload: EventPayload<Event>) => void): void;
};
