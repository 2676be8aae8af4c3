import type { ReactNode } from "react";
import { Field } from "@/components/ui/field";

interface SelectProps {
  name: string;
  label: string;
  value: string;
  help?: string;
  options: readonly { value: string; label: string }[];
}

/** Keyed by its value, because React resets a select to its first default after an action. */
export function SelectField({ name, label, value, help, options }: SelectProps) {
  return (
    <Field label={label} htmlFor={name} help={help}>
      <select
        key={value}
        id={name}
        name={name}
        defaultValue={value}
        aria-describedby={help === undefined ? undefined : `${name}-help`}
        className="control sm:max-w-sm"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface ToggleProps {
  name: string;
  label: string;
  help: string;
  isOn: boolean;
}

/** A checkbox for a setting. */
export function ToggleField({ name, label, help, isOn }: ToggleProps) {
  return (
    <div className="flex items-start gap-3">
      <span className="grid size-11 shrink-0 place-items-center lg:size-6 print:size-auto">
        <input
          key={String(isOn)}
          id={name}
          name={name}
          type="checkbox"
          defaultChecked={isOn}
          aria-describedby={`${name}-help`}
          className="size-5 accent-[var(--ink)] lg:size-4"
        />
      </span>
      <div className="max-lg:pb-2.5 lg:py-0.5 print:py-0">
        <label htmlFor={name} className="flex min-h-11 items-center font-[550] lg:min-h-5">
          {label}
        </label>
        <p id={`${name}-help`} className="text-small text-text-2">
          {help}
        </p>
      </div>
    </div>
  );
}

interface RadioProps {
  name: string;
  legend: string;
  value: string;
  options: readonly { value: string; label: string; preview?: ReactNode }[];
}

/** Radio buttons with a preview of each option. */
export function RadioField({ name, legend, value, options }: RadioProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-[550]">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-3">
        {options.map((option) => (
          <label
            key={option.value}
            htmlFor={`${name}-${option.value}`}
            className="flex min-h-11 items-center gap-2 rounded-control border border-control px-3 py-2 has-checked:border-ink has-checked:bg-surface-2"
          >
            <input
              key={String(value === option.value)}
              id={`${name}-${option.value}`}
              type="radio"
              name={name}
              value={option.value}
              defaultChecked={value === option.value}
              className="size-4 shrink-0 accent-[var(--ink)]"
            />
            <span>
              {option.label}
              {option.preview}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
