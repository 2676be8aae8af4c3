import { Info } from "lucide-react";
import type { ReactNode } from "react";

interface Props {
  label: string;
  /** The figure itself. */
  children: ReactNode;
  /** The figure's calculation, as terms. */
  explanation: ReactNode;
  /** Shown below the calculation. */
  note?: string;
}

/** A figure of the account. It opens its calculation, also without JavaScript. */
export function Figure({ label, children, explanation, note }: Props) {
  return (
    <details data-menu="" data-printed="summary" name="figure" className="min-w-0">
      <summary className="flex min-h-11 list-none flex-col justify-center px-3 py-0.5 hover:text-text sm:border-l sm:border-border">
        <span className="flex items-center gap-1 text-caption whitespace-nowrap text-text-3">
          {label}
          <Info aria-hidden="true" className="size-3 print:hidden" />
          <span className="sr-only">, how this is computed</span>
        </span>
        <span className="num font-[550] whitespace-nowrap">{children}</span>
      </summary>
      <div className="absolute inset-x-0 top-full z-20 rounded-card border border-border bg-surface p-4 text-small shadow-layer sm:left-auto sm:w-80">
        <p className="mb-2 font-[550]">{label}</p>
        <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-1">{explanation}</dl>
        {note !== undefined && <p className="mt-2 text-text-2">{note}</p>}
      </div>
    </details>
  );
}

interface TermProps {
  label: string;
  /** The term's sign. A result ("=") has a line above it. */
  sign?: "+" | "−" | "=";
  children: ReactNode;
}

/** A term of a figure's calculation. */
export function Term({ label, sign, children }: TermProps) {
  const line = sign === "=" ? "border-t border-border pt-1 font-[550]" : "";
  return (
    <>
      <dt className={`text-text-2 ${line}`}>
        {sign !== undefined && <span className="num">{sign} </span>}
        {label}
      </dt>
      <dd className={`num text-right ${line}`}>{children}</dd>
    </>
  );
}
