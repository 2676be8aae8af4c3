import type { ReactNode } from "react";

interface Props {
  label: string;
  /** The figure itself. */
  children: ReactNode;
  /** One line under the figure. */
  note?: ReactNode;
  /** The figure's calculation. */
  explanation: ReactNode;
  isMain?: boolean;
}

/** A figure of the account with its calculation. */
export function Stat({ label, children, note, explanation, isMain = false }: Props) {
  return (
    <div className="card flex min-w-0 flex-col p-3 sm:p-4">
      <h2 className="text-caption text-text-3">{label}</h2>
      <p className={`num mt-1 break-words ${isMain ? "text-display" : "text-title"}`}>{children}</p>
      {note !== undefined && <p className="mt-0.5 text-small text-text-2">{note}</p>}
      <details className="mt-auto pt-1 text-small">
        <summary className="flex min-h-11 items-center text-text-2 underline decoration-dotted underline-offset-4 hover:text-text lg:min-h-7">
          How this is computed
        </summary>
        <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 pb-1">{explanation}</dl>
      </details>
    </div>
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
