import { Button, Note } from "../ui/index.ts";

type FailureNoteProps = {
  readonly title: string;
  readonly text: string;
  readonly retryLabel: string;
  readonly onRetry: () => void;
};

/** Takes the place of what could not be loaded, and offers to try again. */
export const FailureNote = ({ title, text, retryLabel, onRetry }: FailureNoteProps) => (
  <Note
    tone="danger"
    title={title}
    action={
      <Button variant="soft" onClick={onRetry}>
        {retryLabel}
      </Button>
    }
  >
    {text}
  </Note>
);
