import { Fragment } from "react";
import { CodeText } from "@/components/docs/code-sample";
import { CopyCode } from "@/components/docs/copy-code";
import type { CodeExample } from "@/components/docs/operation-doc";
import type { DocsLanguage } from "@/lib/browser/docs-language";

interface Props {
  /** The operation's id. */
  id: string;
  examples: readonly CodeExample[];
  /** The language that is shown at first. */
  language: DocsLanguage;
}

/**
 * A request in several languages behind tabs. They are radio buttons, which work without JavaScript;
 * `RememberLanguage` carries a choice over to the other samples.
 */
export function RequestSample({ id, examples, language: chosen }: Props) {
  return (
    <fieldset
      data-code=""
      className="relative flex min-w-0 flex-wrap items-center overflow-hidden rounded-control border border-border bg-surface-2"
    >
      <legend className="sr-only">Language of the request</legend>
      {examples.map(({ language }) => (
        <Fragment key={language}>
          <input
            type="radio"
            id={`${id}-${language}`}
            name={`${id}-language`}
            value={language}
            data-language=""
            defaultChecked={language === chosen}
            className={`sr-only ${LOOKS[language].radio}`}
          />
          <label
            htmlFor={`${id}-${language}`}
            className={`flex min-h-11 items-center border-b-2 border-transparent px-3 text-caption text-text-2 hover:text-text lg:min-h-9 ${LOOKS[language].tab}`}
          >
            {language}
          </label>
        </Fragment>
      ))}
      <div className="ml-auto pr-1">
        <CopyCode label={`request of ${id}`} />
      </div>
      {examples.map(({ language, code }) => (
        <div
          key={language}
          className={`hidden w-full min-w-0 border-t border-border ${LOOKS[language].panel}`}
        >
          <CodeText code={code} language={language} label={`${language} for ${id}`} />
        </div>
      ))}
    </fieldset>
  );
}

/** A radio button shows its tab as chosen, and its panel. The classes are whole, so that Tailwind finds them. */
const LOOKS = {
  curl: {
    radio: "peer/curl",
    tab: "peer-checked/curl:border-text peer-checked/curl:text-text peer-focus-visible/curl:outline-2 peer-focus-visible/curl:-outline-offset-2 peer-focus-visible/curl:outline-accent",
    panel: "peer-checked/curl:block",
  },
  JavaScript: {
    radio: "peer/javascript",
    tab: "peer-checked/javascript:border-text peer-checked/javascript:text-text peer-focus-visible/javascript:outline-2 peer-focus-visible/javascript:-outline-offset-2 peer-focus-visible/javascript:outline-accent",
    panel: "peer-checked/javascript:block",
  },
  Python: {
    radio: "peer/python",
    tab: "peer-checked/python:border-text peer-checked/python:text-text peer-focus-visible/python:outline-2 peer-focus-visible/python:-outline-offset-2 peer-focus-visible/python:outline-accent",
    panel: "peer-checked/python:block",
  },
} as const satisfies Record<DocsLanguage, Record<"radio" | "tab" | "panel", string>>;
