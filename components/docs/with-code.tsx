import { Fragment } from "react";
import { Code } from "@/components/docs/article";

/** A text whose parts between backticks are code. */
export function WithCode({ text }: { text: string }) {
  return text
    .split("`")
    .map((part, index) =>
      index % 2 === 1 ? (
        <Code key={`${index}/${part}`}>{part}</Code>
      ) : (
        <Fragment key={`${index}/${part}`}>{part}</Fragment>
      ),
    );
}
