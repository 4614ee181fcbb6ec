import { Fragment } from "react";

/** May be broken between its words: `deposits[].amountUnits`, `/orders/{orderId}`, `CREATION_END`. */
export const Breakable = ({ name }: { readonly name: string }) =>
  name.split(/(?<=[./_])|(?<=[a-z])(?=[A-Z])/).map((part, at) => (
    <Fragment key={`${at} ${part}`}>
      {at === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
