"use client";

import { Printer } from "lucide-react";
import { Button } from "@/components/ui/button";
import type { Look } from "@/components/ui/button-classes";

/** Opens the browser's print dialog. */
export function PrintButton({ tone = "primary" }: Pick<Look, "tone">) {
  return (
    <Button tone={tone} onClick={() => window.print()} className="noscript:hidden">
      <Printer aria-hidden="true" className="size-4" /> Print
    </Button>
  );
}
