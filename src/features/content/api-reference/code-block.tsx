/** A piece of code, whose long lines are broken: it does not scroll by itself. Its words are English. */
export const CodeBlock = ({ code }: { readonly code: string }) => (
  <pre className="w-reference__code" lang="en">
    <code>{code}</code>
  </pre>
);
