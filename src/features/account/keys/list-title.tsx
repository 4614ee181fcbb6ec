import "./keys.css";

type ListTitleProps = { readonly title: string; readonly count: string };

/** What a list holds, and how much of what it may hold at the other end of the line. */
export const ListTitle = ({ title, count }: ListTitleProps) => (
  <span className="w-keys__list-title">
    {title} <span className="w-number">{count}</span>
  </span>
);
