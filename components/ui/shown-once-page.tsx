import type { ReactNode } from "react";

interface Props {
  /** The header and what else belongs to the form. */
  head: ReactNode;
  /** The form, which is replaced by what it made. */
  children: ReactNode;
}

/** A page whose form makes a secret. While the secret is shown, the page has nothing else. */
export function ShownOncePage({ head, children }: Props) {
  return (
    <div className="secret-page mx-auto max-w-160">
      <div className="with-secret:hidden">{head}</div>
      {children}
    </div>
  );
}
