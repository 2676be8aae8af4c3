import type { ReactNode } from "react";

interface EmptyProps {
  /** The reason for the empty list, in one sentence. */
  children: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ children, action }: EmptyProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-10 text-center text-text-2">
      <p className="max-w-[42ch] text-balance">{children}</p>
      {action}
    </div>
  );
}

interface ErrorProps {
  headline: string;
  details?: string;
  action?: ReactNode;
}

export function ErrorState({ headline, details, action }: ErrorProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-10 text-center">
      <p className="font-[550]">{headline}</p>
      {action}
      {details !== undefined && (
        <details className="text-small text-text-2">
          <summary>Details</summary>
          <p className="mt-1 font-mono text-caption break-all">{details}</p>
        </details>
      )}
    </div>
  );
}
