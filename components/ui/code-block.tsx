import { CopyButton } from "@/components/ui/copy-button";
import { ScrollRegion } from "@/components/ui/scroll-region";

interface Props {
  code: string;
  label: string;
  /** Above the code, with the copy button. Without a title, the button is beside the code. */
  title?: string;
  /** Whether long lines break instead of scrolling. */
  isWrapped?: boolean;
}

/** Code with a copy button. It scrolls on its own. */
export function CodeBlock({ code, label, title, isWrapped = false }: Props) {
  const copy = <CopyButton text={code} label={`Copy ${label}`} />;
  const text = (
    <ScrollRegion
      as="pre"
      label={label}
      className={`min-w-0 flex-1 overflow-x-auto p-3 font-mono text-caption ${isWrapped ? "wrap-anywhere whitespace-pre-wrap" : ""}`}
    >
      <code>{code}</code>
    </ScrollRegion>
  );
  if (title !== undefined) {
    return (
      <div className="rounded-control border border-border bg-surface-2">
        <div className="flex min-h-11 items-center justify-between gap-2 border-b border-border pr-1 pl-3 lg:min-h-9">
          <p className="font-[550]">{title}</p>
          {copy}
        </div>
        {text}
      </div>
    );
  }
  return (
    <div className="flex items-start rounded-control border border-border bg-surface-2">
      {text}
      {/* Beside the code, which would otherwise scroll below it. */}
      <div className="shrink-0 p-1">{copy}</div>
    </div>
  );
}
