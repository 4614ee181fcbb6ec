import type { BodyInput, ParamsInput } from "#contract/calls.ts";
import { call } from "../../shared/http/http.ts";

/** The index of a section's search as MiniSearch writes it; empty where there is nothing to find. */
export const readSearchIndex = (params: ParamsInput<"searchIndex">) => call("searchIndex", { params });

export const sendMessage = (body: BodyInput<"contact">) => call("contact", { body });

export const sendAuthorityRequest = (body: BodyInput<"authorityRequest">) => call("authorityRequest", { body });
