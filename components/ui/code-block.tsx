import { CopyButton } from "@/components/ui/copy-button";
import { ScrollRegion } from "@/components/ui/scroll-region";

interface Props {
  code: string;
  label: string;
  /** Whether long lines break instead of scrolling, for what is read and not run. */
  isWrapped?: boolean;
}

/** Code with a copy button. It scrolls on its own. */
export function CodeBlock({ code, label, isWrapped = false }: Props) {
  return (
    <div className="flex items-start rounded-control border border-border bg-surface-2">
      <ScrollRegion
        as="pre"
        label={label}
        className={`min-w-0 flex-1 overflow-x-auto p-3 font-mono text-caption ${isWrapped ? "wrap-anywhere whitespace-pre-wrap" : ""}`}
      >
        <code>{code}</code>
      </ScrollRegion>
      {/* Beside the code, which would otherwise scroll below it. */}
      <div className="shrink-0 p-1">
        <CopyButton text={code} label={`Copy ${label}`} />
      </div>
    </div>
  );
}
