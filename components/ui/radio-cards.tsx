import type { ReactNode } from "react";

interface GroupProps {
  legend: string;
  error?: string | null;
  children: ReactNode;
}

/** Radio buttons with descriptions. */
export function RadioCards({ legend, error = null, children }: GroupProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-[550]">{legend}</legend>
      {error !== null && (
        <p role="alert" className="text-small text-danger">
          {error}
        </p>
      )}
      {children}
    </fieldset>
  );
}

interface CardProps {
  name: string;
  value: string;
  title: ReactNode;
  isChosen: boolean;
  children: ReactNode;
}

export function RadioCard({ name, value, title, isChosen, children }: CardProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3 rounded-control border border-control px-3 py-2.5 hover:bg-surface-2 has-checked:border-text has-checked:bg-surface-2">
      <input
        type="radio"
        name={name}
        value={value}
        defaultChecked={isChosen}
        className="mt-0.5 size-4 shrink-0 accent-(--ink)"
      />
      <span>
        <span className="block font-[550]">{title}</span>
        <span className="block text-small text-text-2">{children}</span>
      </span>
    </label>
  );
}
