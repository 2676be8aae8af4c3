import type { ReactNode } from "react";

interface FieldProps {
  label: ReactNode;
  /** The id of the control. The ids of help and error are derived from it. */
  htmlFor: string;
  help?: ReactNode;
  error?: ReactNode;
  children: ReactNode;
}

/** A label above its control, with help or an error below it. */
export function Field({ label, htmlFor, help, error, children }: FieldProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={htmlFor} className="text-body font-[550]">
        {label}
      </label>
      {children}
      {error ? (
        <p id={`${htmlFor}-error`} className="text-small text-danger">
          {error}
        </p>
      ) : null}
      {help ? (
        <p id={`${htmlFor}-help`} className="text-small text-text-2">
          {help}
        </p>
      ) : null}
    </div>
  );
}

/** Returns the ARIA attributes that connect a control with the texts of its Field. */
export function describedBy(id: string, parts: { help?: unknown; error?: string | null }) {
  const ids = [parts.error ? `${id}-error` : "", parts.help ? `${id}-help` : ""].filter(Boolean);
  return {
    id,
    "aria-describedby": ids.length > 0 ? ids.join(" ") : undefined,
    "aria-invalid": parts.error ? (true as const) : undefined,
  };
}
