import { CopyCode } from "@/components/docs/copy-code";
import { ScrollRegion } from "@/components/ui/scroll-region";

/** A code sample with a copy button. It scrolls on its own, also by keyboard. */
export function CodeSample({ code, label }: { code: string; label: string }) {
  return (
    <div
      data-code=""
      className="relative min-h-13.5 rounded-control border border-border bg-surface-2 lg:min-h-11"
    >
      <div className="absolute top-1 right-1">
        <CopyCode label={label} />
      </div>
      <ScrollRegion
        as="pre"
        label={label}
        className="max-h-105 overflow-auto rounded-control p-3 pr-14 font-mono text-caption font-normal"
      >
        <code>{code}</code>
      </ScrollRegion>
    </div>
  );
}
