import { createContext, type ReactNode, use, useState } from "react";
import type { Order } from "#contract/order.ts";
import { type Choice, type Option, choose, openChoice, updateFigures } from "../model/choice/choice.ts";
import type { OrderView } from "../model/view/order-view.ts";
import { isUnconfirmed } from "../model/view/deposits.ts";
import { acceptOffer, requestRefund } from "../requests/customer-requests.ts";
import { type OrderUpdates, type CustomerRequest, useCustomerRequest } from "../requests/use-customer-request.ts";
import { type LiveRefundInfo, useRefundInfo } from "../page/use-order.ts";
import { type RefundForm, useRefundForm } from "../refund/use-refund-form.ts";

type OpenChoice = {
  choice: Choice;
  /** Why the new rate can't be accepted now: its offer has ended, or the deposit is in no block yet. */
  stop: "ended" | "no-block" | null;
  choose: (option: Option) => void;
  figures: LiveRefundInfo;
  form: RefundForm;
  request: CustomerRequest;
  submit: () => void;
  /** Asks for an offer in place of the one that has ended. */
  renew: () => void;
};

const ChoiceContext = createContext<OpenChoice | null>(null);

/** The choice that is open on this page; its cards and its button stand apart on a phone. */
export function useOpenChoice(): OpenChoice {
  const open = use(ChoiceContext);
  if (open === null) throw new Error("a choice is read where none is open");
  return open;
}

export type ChoiceProviderProps = {
  readonly order: Order;
  readonly view: Pick<OrderView, "offer">;
  readonly updates: OrderUpdates;
  readonly children: ReactNode;
};

/** Holds what the customer has chosen between the new rate and a refund, and carries it out. */
export function ChoiceProvider({ order, view, updates, children }: ChoiceProviderProps) {
  const figures = useRefundInfo(order, true);
  const form = useRefundForm(order, figures.info);
  const request = useCustomerRequest(order, updates, figures.put);
  const { choice: made, choose } = useChoiceOf(order, figures.info);
  const stop = isUnconfirmed(order) ? "no-block" : view.offer?.hasEnded === true ? "ended" : null;
  const choice: Choice = stop === "ended" && made.chosen === "accept" ? { ...made, chosen: null } : made;
  const { chosen, shown } = choice;

  const accept = () => {
    const { offer } = shown;
    if (offer !== null) void request.send({ kind: "accept" }, () => acceptOffer(order, offer));
  };
  const submit = () => {
    const { refund } = shown;
    if (chosen === "accept" && stop === null) accept();
    if (chosen !== "refund" || refund === null) return;
    const { recipient } = form;
    if (form.submit()) void request.send({ kind: "refund", recipient }, () => requestRefund(order, recipient, refund));
  };
  const open: OpenChoice = {
    choice,
    stop,
    choose: (option: Option) => {
      if (request.isSending) return;
      request.forget();
      choose(option);
    },
    figures,
    form,
    request,
    submit,
    renew: accept,
  };
  return <ChoiceContext value={open}>{children}</ChoiceContext>;
}

/** The customer's choice over figures that may change under it. */
export function useChoiceOf(
  { offer }: Order,
  info: LiveRefundInfo["info"],
): { choice: Choice; choose: (option: Option) => void } {
  const figures = { offer, refund: typeof info === "object" ? info : null };
  const [choice, setChoice] = useState(() => openChoice(figures));
  const seen = updateFigures(choice, figures);
  if (seen !== choice) setChoice(seen);
  return { choice: seen, choose: (option) => setChoice((before) => choose(before, option)) };
}
