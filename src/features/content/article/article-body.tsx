import { memo, useEffect, useMemo, useRef } from "react";
import { useLocation } from "wouter";
import { CodeBlocks } from "./code-blocks.tsx";
import "./article-body.css";

type ArticleBodyProps = {
  /** Sanitised when the articles were built. */
  readonly html: string;
  readonly className: string;
};

/** An article's text. Its links to other pages of the site stay inside the app. */
export const ArticleBody = memo(function ArticleBody({ html, className }: ArticleBodyProps) {
  const body = useRef<HTMLDivElement>(null);
  const [, navigate] = useLocation();
  const latest = useRef(navigate);
  useEffect(() => {
    latest.current = navigate;
  });
  useEffect(() => {
    const element = body.current;
    if (element === null) return undefined;
    const follow = (event: MouseEvent) => {
      const path = pathOfClick(event);
      if (path === null) return;
      event.preventDefault();
      latest.current(`~${path}`);
    };
    element.addEventListener("click", follow);
    return () => element.removeEventListener("click", follow);
  }, []);
  const content = useMemo(() => ({ __html: html }), [html]);
  return (
    <>
      <div ref={body} className={`w-article-body ${className}`} dangerouslySetInnerHTML={content} />
      {html.includes("<pre") ? <CodeBlocks body={body} html={html} /> : null}
    </>
  );
});

/** The page of this site that a click opens in this tab; null where the browser does it better. */
function pathOfClick(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const href = link?.getAttribute("href") ?? "";
  const isPage = href.startsWith("/") && !/^\/(?:\/|api\/)|[#.]/.test(href);
  return isPage ? href : null;
}
