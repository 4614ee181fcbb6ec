/** A piece of code, whose long lines are broken: it does not scroll by itself. */
export const CodeBlock = ({ code }: { readonly code: string }) => (
  <pre className="w-reference__code">
    <code>{code}</code>
  </pre>
);
