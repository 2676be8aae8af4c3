"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useLayoutEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { MAX_SEARCH_LENGTH } from "@/lib/domain/search";

const TYPING_MS = 250;

interface Props {
  /** The page that shows the results. */
  path: "/markets" | "/trade";
  search: string;
  /** The page's other query parameters, which a search keeps. */
  otherParams: readonly (readonly [string, string])[];
  /** Whether the page is for searching, so that typing can begin immediately. A phone would open its keyboard. */
  isFocused?: boolean;
}

/** Searches while the user types; without JavaScript, with the button. */
export function SearchBox({ path, search, otherParams, isFocused = false }: Props) {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const input = useRef<HTMLInputElement>(null);
  // As early as React's autoFocus.
  useLayoutEffect(() => {
    if (isFocused && matchMedia("(pointer: fine)").matches) input.current?.focus();
  }, [isFocused]);
  const submit = () => {
    if (!form.current) return;
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form.current)) {
      if (typeof value === "string" && value !== "") query.append(name, value);
    }
    router.replace(`${path}?${query}`, { scroll: false });
  };
  const onInput = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(submit, TYPING_MS);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    clearTimeout(timer.current);
    submit();
  };
  return (
    <form
      ref={form}
      action={path}
      role="search"
      aria-label="Markets on this page"
      onInput={onInput}
      onSubmit={onSubmit}
      className="flex min-w-0 flex-1 gap-2 max-sm:basis-full"
    >
      {otherParams.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="relative min-w-0 flex-1">
        <label htmlFor="market-search" className="sr-only">
          Search markets by name or event
        </label>
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-text-3"
        />
        <input
          key={search === "" ? "empty" : "searched"}
          ref={input}
          id="market-search"
          name="q"
          type="search"
          defaultValue={search}
          maxLength={MAX_SEARCH_LENGTH}
          placeholder="Search by name or event"
          autoComplete="off"
          className="control pl-9"
        />
      </div>
      <noscript>
        <Button type="submit">Search</Button>
      </noscript>
    </form>
  );
}
