"use client";

import { createContext, type ReactNode, useContext } from "react";
import { PAGE_MODE_FIELD } from "@/lib/browser/page-mode";

const PageModeContext = createContext<"paper" | "live">("paper");

interface Props {
  mode: "paper" | "live";
  children: ReactNode;
}

/** Provides the mode that the page shows to its forms. */
export function PageModeProvider({ mode, children }: Props) {
  return <PageModeContext value={mode}>{children}</PageModeContext>;
}

/**
 * Sends the mode that the page shows with a form. If another tab has switched the browser to the
 * other account meanwhile, the action does nothing.
 */
export function PageModeField() {
  return <input type="hidden" name={PAGE_MODE_FIELD} value={useContext(PageModeContext)} />;
}
