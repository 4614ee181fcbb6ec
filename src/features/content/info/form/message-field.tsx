import type { Ref } from "react";
import { MAX_INQUIRY_TEXT } from "#contract/site/inquiry-limits.ts";
import { TextArea } from "../../../../shared/ui/index.ts";

type MessageFieldProps = {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly error: string | null;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly ref?: Ref<HTMLTextAreaElement>;
};

/** What somebody writes to the operator. */
export const MessageField = (props: MessageFieldProps) => (
  <TextArea {...props} name="message" rows={6} maxLength={MAX_INQUIRY_TEXT} />
);
