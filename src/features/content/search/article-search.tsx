import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { ContentSection } from "#contract/site/content.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { SearchField } from "../../../shared/ui/index.ts";
import type { Found, Search } from "./search-index.ts";
import "./article-search.css";

const MAX_WORDS = 100;

/** The search of the blog or the docs: `/` leads to it, arrows choose, Enter opens. Its index is loaded once it has the focus. */
export function ArticleSearch({ section }: { readonly section: ContentSection }) {
  const { t } = useTranslation("content");
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { search, isFailed, load } = useSearchIndex(section);
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLElement>(null);
  usePressElsewhere(root, () => setOpen(false));
  const [path, navigate] = useLocation();
  useSlash(input);
  useAskedWords((asked) => {
    input.current?.focus();
    load();
    setWords(asked);
    setOpen(true);
  });

  const found = words.trim() === "" || search === null ? null : search(words);
  const open = ({ slug, anchor }: Found) => {
    setWords("");
    input.current?.blur();
    const hash = anchor === "" ? "" : `#${encodeURIComponent(anchor)}`;
    // The page that is open already is not loaded again: the browser moves to the section.
    if (path === `/${section}/${slug}` && hash !== "") location.hash = hash;
    else navigate(`/${section}/${slug}${hash}`);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape") setWords("");
    if (found === null || found.length === 0) return;
    setOpen(true);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setChosen((chosen + step + found.length) % found.length);
    const choice = found[chosen];
    if (event.key === "Enter" && choice !== undefined) open(choice);
    if (step !== 0 || event.key === "Enter") event.preventDefault();
  };
  const type = (value: string) => {
    load();
    setWords(value);
    setChosen(0);
    setOpen(true);
  };
  const enter = () => {
    load();
    setOpen(true);
  };
  const counted = (count: number) => (count === 0 ? t("search.none") : t("search.found", { count }));
  const isShown = isOpen && found !== null && found.length > 0;
  const said = isFailed ? t("search.failed") : found === null ? "" : counted(found.length);
  return (
    <search
      ref={root}
      className="w-search"
      // The list would cover what has the focus now.
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <SearchField
        ref={input}
        label={t(`search.label.${section}`)}
        role="combobox"
        maxLength={MAX_WORDS}
        aria-expanded={isShown}
        aria-controls={`${id}-found`}
        aria-autocomplete="list"
        aria-activedescendant={isShown ? `${id}-${chosen}` : undefined}
        value={words}
        onFocus={enter}
        onClick={() => setOpen(true)}
        onValue={type}
        onKeyDown={press}
      />
      <div
        className="w-search__found"
        id={`${id}-found`}
        role="listbox"
        aria-label={t("search.results")}
        hidden={!isShown}
      >
        {found?.map((part, index) => (
          <div
            key={`${part.slug}#${part.anchor}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            // Before the field loses the focus.
            onMouseDown={(event) => {
              event.preventDefault();
              open(part);
            }}
          >
            {part.title}
            {part.heading === "" ? null : <span>{part.heading}</span>}
          </div>
        ))}
      </div>
      <p className={found?.length === 0 || isFailed ? "w-search__none" : "w-visually-hidden"} role="status">
        {said}
      </p>
    </search>
  );
}

function useSearchIndex(section: ContentSection): { search: Search | null; isFailed: boolean; load: () => void } {
  const locale = useLocale();
  const [search, setSearch] = useState<Search | null>(null);
  const [isFailed, setFailed] = useState(false);
  const isAsked = useRef(false);
  const load = () => {
    if (isAsked.current) return;
    isAsked.current = true;
    setFailed(false);
    import("./search-index.ts")
      .then(({ loadSearch }) => loadSearch(section, locale))
      .then((loaded) => setSearch(() => loaded))
      .catch((error: unknown) => {
        console.warn("the search can't be loaded", error);
        // The next letter tries again.
        isAsked.current = false;
        setFailed(true);
      });
  };
  return { search, isFailed, load };
}

/** A finger beside the field leaves it the focus on some phones. */
function usePressElsewhere(root: { readonly current: HTMLElement | null }, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    const press = ({ target }: Event) => {
      if (target instanceof Node && root.current?.contains(target) === false) latest.current();
    };
    document.addEventListener("pointerdown", press);
    return () => document.removeEventListener("pointerdown", press);
  }, [root]);
}

/** `/docs?q=words` searches for them, which is how search engines send someone here (schema.org `SearchAction`). */
function useAskedWords(search: (words: string) => void): void {
  const latest = useRef(search);
  useEffect(() => {
    const asked = new URLSearchParams(location.search).get("q")?.trim().slice(0, MAX_WORDS) ?? "";
    if (asked !== "") latest.current(asked);
  }, []);
}

/** Layouts without Latin letters type something else by its key; one that has `/` elsewhere keeps its own. */
const isSlash = ({ key, code }: globalThis.KeyboardEvent): boolean => key === "/" || (code === "Slash" && key === ".");

/** `/` moves to the field, unless something is being typed. */
function useSlash(input: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select, dialog *");
      if (!isSlash(event) || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, [input]);
}
