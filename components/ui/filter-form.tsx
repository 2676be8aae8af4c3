"use client";

import { SlidersHorizontal } from "lucide-react";
import Form from "next/form";
import { type FormEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { Button, ButtonLink } from "@/components/ui/button";
import { CHIP } from "@/components/ui/filter-link";

interface Props {
  /** The path of the filtered page. */
  action: string;
  /** The accessible name: "Filter orders". */
  label: string;
  /** Hidden fields, such as the tab. */
  fixed?: Record<string, string>;
  /** The URL of the unfiltered list; absent without filters. */
  clearHref?: string | undefined;
  /** Further filters, which a phone shows in a layer behind a button. */
  folded?: { fields: ReactNode; label: string; activeCount: number };
  /** Whether its parts belong to the flex box around it on a wide screen, beside a search field. */
  isMerged?: boolean;
  children: ReactNode;
}

/** Filters in the URL, as one row of chips. A choice applies at once, typed text after a pause. */
export function FilterForm({
  action,
  label,
  fixed = {},
  clearHref,
  folded,
  isMerged = false,
  children,
}: Props) {
  const apply = (event: FormEvent<HTMLFormElement>) => {
    if (event.target instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
  };
  const applyDate = (event: FormEvent<HTMLFormElement>) => {
    const { target } = event;
    const isDate = target instanceof HTMLInputElement && target.type === "date";
    // While the year is typed, its first digits are a year, too.
    if (isDate && target.value !== target.defaultValue) event.currentTarget.requestSubmit();
  };
  return (
    <Form
      action={action}
      scroll={false}
      prefetch={false}
      onChange={apply}
      onBlur={applyDate}
      role="search"
      aria-label={label}
      className={`scroll-cue relative -mx-1 flex items-center gap-2 overflow-x-auto px-1 py-1 md:flex-wrap ${isMerged ? "lg:contents" : ""}`}
    >
      {Object.entries(fixed).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      {folded && <FoldedFilters {...folded} clearHref={clearHref} />}
      {/* With several fields, Enter needs a submit button. */}
      <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only">
        Apply
      </button>
      <noscript>
        <Button type="submit">Apply</Button>
      </noscript>
      {clearHref !== undefined && (
        <ButtonLink
          tone="quiet"
          href={clearHref}
          scroll={false}
          className={folded ? "max-md:hidden" : ""}
        >
          Clear filters
        </ButtonLink>
      )}
    </Form>
  );
}

type FoldedProps = NonNullable<Props["folded"]> & Pick<Props, "clearHref">;

/** Filters beside the others on a wide screen; on a phone in a layer of the browser's own. Without JavaScript
 * they stay in the row, where one button applies them all. */
function FoldedFilters({ fields, label, activeCount, clearHref }: FoldedProps) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-current={activeCount > 0 ? "true" : undefined}
        className={`${CHIP} inline-flex shrink-0 items-center gap-1.5 md:hidden noscript:hidden`}
      >
        <SlidersHorizontal aria-hidden="true" className="size-4" />
        {activeCount > 0 ? `Filters · ${activeCount}` : "Filters"}
      </button>
      <div
        id={id}
        popover="auto"
        role="group"
        aria-label={label}
        data-filter-layer=""
        onClick={hideAfterLink}
        className="m-auto w-[min(22.5rem,calc(100vw-2rem))] grid-cols-2 gap-3 rounded-card border border-border bg-surface p-4 text-text shadow-layer backdrop:bg-black/40 open:grid md:contents noscript:contents"
      >
        {fields}
        <div className="col-span-2 flex justify-end gap-2 md:hidden noscript:hidden">
          {clearHref !== undefined && (
            <ButtonLink tone="quiet" href={clearHref} scroll={false}>
              Clear filters
            </ButtonLink>
          )}
          <Button tone="primary" popoverTarget={id} popoverTargetAction="hide">
            Done
          </Button>
        </div>
      </div>
    </>
  );
}

/** Hides the layer once a link in it was followed, so that the list is in view. */
function hideAfterLink({ target, currentTarget }: MouseEvent<HTMLElement>) {
  const isOpen = currentTarget.matches(":popover-open");
  if (isOpen && target instanceof Element && target.closest("a")) currentTarget.hidePopover();
}

/** In a phone's layer, a label stands above its field, which has the layer's width. */
const LABEL_IN_LAYER =
  "in-filter-layer:flex-col in-filter-layer:items-stretch in-filter-layer:gap-1.5";
const NAME_IN_LAYER =
  "in-filter-layer:not-sr-only in-filter-layer:text-body in-filter-layer:font-[550] in-filter-layer:text-text";
const FIELD_IN_LAYER =
  "in-filter-layer:w-full in-filter-layer:max-w-none in-filter-layer:rounded-control";

/** Gives a field the URL's value, also after the user goes back, and keeps its focus. */
function useUrlValue<T extends HTMLInputElement | HTMLSelectElement>(
  value: string,
  isTyping: () => boolean = () => false,
) {
  const field = useRef<T>(null);
  const latest = useRef(isTyping);
  useEffect(() => {
    // While the user types, the field is newer than the URL.
    if (field.current && !latest.current()) field.current.value = value;
  }, [value]);
  return field;
}

const TYPING_MS = 300;

/** Submits the form of a search field once the user pauses. */
function useTypedSearch() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    isTyping: () => timer.current !== undefined,
    onInput: ({ currentTarget: { form } }: FormEvent<HTMLInputElement>) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        timer.current = undefined;
        form?.requestSubmit();
      }, TYPING_MS);
    },
  };
}

interface SelectProps {
  label: string;
  name: string;
  /** The label of the first option, which means no filter. */
  all: string;
  value: string;
  options: readonly { value: string; label: string }[];
}

export function FilterSelect({ label, name, all, value, options }: SelectProps) {
  const id = useId();
  const field = useUrlValue<HTMLSelectElement>(value);
  return (
    <label
      htmlFor={id}
      className={`shrink-0 in-filter-layer:col-span-2 in-filter-layer:flex ${LABEL_IN_LAYER}`}
    >
      <span className={`sr-only ${NAME_IN_LAYER}`}>{label}</span>
      <select
        id={id}
        ref={field}
        name={name}
        defaultValue={value}
        aria-current={value === "" ? undefined : "true"}
        className={`${CHIP} field-sizing-content max-w-56 ${FIELD_IN_LAYER}`}
      >
        <option value="">{all}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

interface InputProps {
  label: string;
  name: string;
  type: "search" | "date";
  value: string;
  /** A tooltip. */
  title?: string;
}

export function FilterInput({ label, name, type, value, title }: InputProps) {
  const id = useId();
  const search = useTypedSearch();
  const field = useUrlValue<HTMLInputElement>(value, search.isTyping);
  const isSearch = type === "search";
  return (
    <label
      htmlFor={id}
      className={`flex shrink-0 items-center gap-2 text-small text-text-2 ${LABEL_IN_LAYER} ${isSearch ? "max-md:min-w-36 max-md:shrink max-md:grow" : ""}`}
    >
      <span className={`${isSearch ? "sr-only" : ""} ${NAME_IN_LAYER}`}>{label}</span>
      <input
        id={id}
        ref={field}
        type={type}
        name={name}
        defaultValue={value}
        title={title}
        onInput={isSearch ? search.onInput : undefined}
        placeholder={isSearch ? label : undefined}
        aria-current={value === "" ? undefined : "true"}
        className={`${CHIP} ${isSearch ? "max-md:min-w-0 max-md:flex-1 md:max-w-44" : ""} ${FIELD_IN_LAYER}`}
        autoComplete="off"
      />
    </label>
  );
}
