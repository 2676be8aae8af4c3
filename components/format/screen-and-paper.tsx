import type { ReactNode } from "react";

interface Props {
  /** Such as "2 min ago", which is wrong as soon as it is printed. */
  screen: ReactNode;
  paper: string;
}

/** A text for the screen, and another one for paper. */
export function ScreenAndPaper({ screen, paper }: Props) {
  return (
    <>
      <span className="print:hidden">{screen}</span>
      <span className="hidden print:inline">{paper}</span>
    </>
  );
}
