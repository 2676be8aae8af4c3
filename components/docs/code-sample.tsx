import { CopyCode } from "@/components/docs/copy-code";

/** A code sample with a copy button. It scrolls on its own, also by keyboard. */
export function CodeSample({ code, label }: { code: string; label: string }) {
  return (
    <div
      data-code=""
      className="relative min-h-[54px] rounded-control border border-border bg-surface-2 lg:min-h-11"
    >
      <div className="absolute top-1 right-1">
        <CopyCode label={label} />
      </div>
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-[420px] overflow-auto rounded-control p-3 pr-14 font-mono text-caption font-normal"
      >
        <code>{code}</code>
      </pre>
    </div>
  );
}
