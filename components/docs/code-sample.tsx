import { CopyCode } from "@/components/docs/copy-code";
import { ScrollRegion } from "@/components/ui/scroll-region";

/** A code sample with a copy button. It scrolls on its own, also by keyboard. */
export function CodeSample({ code, label }: { code: string; label: string }) {
  return (
    <div
      data-code=""
      className="flex min-h-13.5 items-start rounded-control border border-border bg-surface-2 lg:min-h-11"
    >
      <ScrollRegion
        as="pre"
        label={label}
        className="max-h-105 min-w-0 flex-1 overflow-auto rounded-control p-3 font-mono text-caption font-normal"
      >
        <code>{code}</code>
      </ScrollRegion>
      {/* Beside the code, which would otherwise scroll below it. */}
      <div className="shrink-0 p-1">
        <CopyCode label={label} />
      </div>
    </div>
  );
}
