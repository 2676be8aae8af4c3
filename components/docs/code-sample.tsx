import { CopyCode } from "@/components/docs/copy-code";
import { type CodeLanguage, Highlight } from "@/components/docs/highlight";
import { ScrollRegion } from "@/components/ui/scroll-region";

interface Props {
  code: string;
  /** Names the sample for screen readers. */
  label: string;
  /** The heading, if it is another text. */
  title?: string;
  language?: CodeLanguage;
}

/** A code sample under a heading with a copy button. */
export function CodeSample({ code, label, title = label, language = "text" }: Props) {
  return (
    <div data-code="" className="overflow-hidden rounded-control border border-border bg-surface-2">
      <div className="flex min-h-11 items-center justify-between border-b border-border pr-1 pl-3 lg:min-h-9">
        <p className="text-caption text-text-2 first-letter:uppercase">{title}</p>
        <CopyCode label={label} />
      </div>
      <CodeText code={code} label={label} language={language} />
    </div>
  );
}

/** The code itself. Lines wrap between words; a long sample scrolls on its own, also by keyboard. */
export function CodeText({ code, label, language }: Required<Omit<Props, "title">>) {
  return (
    <ScrollRegion
      as="pre"
      label={label}
      className="max-h-105 overflow-auto p-3 font-mono text-caption font-normal wrap-anywhere whitespace-pre-wrap print:max-h-none"
    >
      <code>
        <Highlight code={code} language={language} />
      </code>
    </ScrollRegion>
  );
}
