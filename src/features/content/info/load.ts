import type { TFunction } from "i18next";
import type { PageAnswer, PageName } from "#contract/site/pages.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import type { Loaded, LocalLoadInput } from "../../../shared/page/page-context.ts";

/** A page about the exchange itself. */
export type InfoData = { readonly name: PageName; readonly page: PageAnswer };

export async function loadInfo({ api, locale }: LocalLoadInput, name: PageName): Promise<Loaded<InfoData>> {
  try {
    return { kind: "page", data: { name, page: await api.call("page", { params: { locale, name } }) } };
  } catch (error) {
    if (error instanceof CallError && error.code === "ERR_NOT_FOUND") return { kind: "notFound" };
    throw error;
  }
}

/** The head of such a page. */
export function infoHead({ page: { title, description } }: InfoData, _t: TFunction) {
  return { title: `${title} · Wherry`, description, values: { title, description } };
}
