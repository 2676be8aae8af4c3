import { Fragment, type ReactNode } from "react";

export type CodeLanguage = "curl" | "JavaScript" | "Python" | "JSON" | "text";

const STRING = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/;
const NUMBER = /\b\d+(?:\.\d+)?\b/;

/** The parts of a language that get a color, by kind. The first kind that matches counts. */
const GRAMMARS: Record<Exclude<CodeLanguage, "text">, readonly Kind[]> = {
  curl: [
    ["text-info", STRING],
    ["text-accent", /\b(?:curl|export)\b/],
  ],
  JSON: [
    // A name stays plain.
    ["", /"(?:\\.|[^"\\])*"(?=:)/],
    ["text-info", STRING],
    ["text-warn", new RegExp(`-?${NUMBER.source}|\\b(?:true|false|null)\\b`)],
  ],
  JavaScript: [
    ["text-info", STRING],
    ["text-accent", /\b(?:const|let|await|for|of|if|throw|new)\b/],
    ["text-warn", NUMBER],
  ],
  Python: [
    ["text-text-3", /#.*/],
    ["text-info", STRING],
    ["text-accent", /\b(?:import|if|not|in|for|while|try|except|pass|break|raise|True)\b/],
    ["text-warn", NUMBER],
  ],
};

type Kind = readonly [className: string, pattern: RegExp];

/** Code with a few colors. It is colored on the server, so the browser loads nothing for it. */
export function Highlight({ code, language }: { code: string; language: CodeLanguage }): ReactNode {
  if (language === "text") return keepWords(code);
  return splitCode(code, GRAMMARS[language]).map(({ text, className, at }) =>
    className === "" ? (
      <Fragment key={at}>{keepWords(text)}</Fragment>
    ) : (
      <span key={at} className={className}>
        {keepWords(text)}
      </span>
    ),
  );
}

/**
 * Keeps each word on one line if a phone's line has room for it. Browsers break lines also after a hyphen or
 * a slash, and a command that is broken there looks as if it fails when pasted.
 */
const keepWords = (text: string): ReactNode =>
  text.split(BREAKABLE_WORD).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );

/** A word with a character that lines break at. A phone has no room for longer ones. */
const BREAKABLE_WORD = /((?<!\S)(?=\S{2,44}(?!\S))\S*[-/?{([]\S*)/;

interface Part {
  text: string;
  className: string;
  /** Where it begins. */
  at: number;
}

function splitCode(code: string, kinds: readonly Kind[]): Part[] {
  const pattern = new RegExp(kinds.map(([, { source }]) => `(${source})`).join("|"), "g");
  const parts: Part[] = [];
  let plain = "";
  let end = 0;
  const flush = (at: number) => {
    plain += code.slice(end, at);
    if (plain !== "") parts.push({ text: plain, className: "", at: at - plain.length });
    plain = "";
  };
  for (const match of code.matchAll(pattern)) {
    const [text, ...groups] = match;
    const className = kinds[groups.findIndex((group) => group !== undefined)]?.[0] ?? "";
    if (className === "") continue;
    flush(match.index);
    parts.push({ text, className, at: match.index });
    end = match.index + text.length;
  }
  flush(code.length);
  return parts;
}
