import { Fragment } from "react";
import { splitFigures } from "@/components/format/figures";
import { Masked } from "@/components/format/values";

/** A sentence whose money and shares "hide values" masks. */
export function MaskedText({ text }: { text: string }) {
  return splitFigures(text).map(({ part, isFigure }, index) => (
    <Fragment key={index}>{isFigure ? <Masked>{part}</Masked> : part}</Fragment>
  ));
}
