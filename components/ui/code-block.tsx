import { CopyButton } from "@/components/ui/copy-button";
import { ScrollRegion } from "@/components/ui/scroll-region";

/** Code with a copy button. It scrolls on its own. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="relative rounded-control border border-border bg-surface-2">
      <div className="absolute top-1 right-1 rounded-control bg-surface-2">
        <CopyButton text={code} label={`Copy ${label}`} />
      </div>
      <ScrollRegion
        as="pre"
        label={label}
        className="overflow-x-auto p-3 pr-12 font-mono text-caption"
      >
        <code>{code}</code>
      </ScrollRegion>
    </div>
  );
}
