/** A piece of code that scrolls by itself, by keyboard too. */
export const CodeBlock = ({ label, code }: { readonly label: string; readonly code: string }) => (
  <pre className="w-reference__code" role="region" aria-label={label} tabIndex={0}>
    <code>{code}</code>
  </pre>
);
