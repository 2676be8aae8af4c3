import type { ReactNode } from "react";

const TONES = {
  info: "border-info",
  warn: "border-warn",
  danger: "border-danger",
  success: "border-up",
} as const;

interface Props {
  tone?: keyof typeof TONES;
  title?: ReactNode;
  children?: ReactNode;
  /** "alert" is announced immediately, "status" after a pause. */
  role?: "alert" | "status" | "note";
}

export function Callout({ tone = "info", title, children, role = "note" }: Props) {
  return (
    <div
      role={role}
      className={`rounded-control border border-l-4 border-border bg-surface-2 px-3 py-2.5 text-body ${TONES[tone]}`}
    >
      {title !== undefined && <p className="font-[550]">{title}</p>}
      {children}
    </div>
  );
}
