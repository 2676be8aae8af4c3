"use client";

import Form from "next/form";
import { type FormEvent, type ReactNode, useId } from "react";
import { Button, ButtonLink } from "@/components/ui/button";

interface Props {
  /** The path of the filtered page. */
  action: string;
  /** The accessible name: "Filter orders". */
  label: string;
  /** Hidden fields, such as the tab. */
  fixed?: Record<string, string>;
  /** The URL of the unfiltered list; absent without filters. */
  clearHref?: string | undefined;
  children: ReactNode;
}

/** Filters in the URL. A choice applies immediately, typed text on Enter. */
export function FilterForm({ action, label, fixed = {}, clearHref, children }: Props) {
  const apply = (event: FormEvent<HTMLFormElement>) => {
    if (event.target instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
  };
  return (
    <Form
      action={action}
      scroll={false}
      prefetch={false}
      onChange={apply}
      role="search"
      aria-label={label}
      className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
    >
      {Object.entries(fixed).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <Button type="submit">Apply</Button>
      {clearHref !== undefined && (
        <ButtonLink tone="quiet" href={clearHref} scroll={false}>
          Clear filters
        </ButtonLink>
      )}
    </Form>
  );
}

interface SelectProps {
  label: string;
  name: string;
  /** The label of the first option, which means no filter. */
  all: string;
  value: string;
  options: readonly { value: string; label: string }[];
  /** Whether it fills the line on a phone, for long options. */
  isWide?: boolean;
}

export function FilterSelect({ label, name, all, value, options, isWide = false }: SelectProps) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className={`flex min-w-0 flex-col gap-1 text-caption text-text-2 ${isWide ? "max-sm:col-span-2" : ""}`}
    >
      {label}
      <select
        id={id}
        // Keyed by the URL's value, also after the user goes back.
        key={value}
        name={name}
        defaultValue={value}
        className="control sm:max-w-64"
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
}

export function FilterInput({ label, name, type, value }: InputProps) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className="flex min-w-0 flex-col gap-1 text-caption text-text-2 sm:min-w-36"
    >
      {label}
      <input
        id={id}
        key={value}
        type={type}
        name={name}
        defaultValue={value}
        className="control"
        autoComplete="off"
      />
    </label>
  );
}
