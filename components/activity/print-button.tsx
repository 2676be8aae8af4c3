"use client";

import { Printer } from "lucide-react";
import { Button } from "@/components/ui/button";

/** Opens the browser's print dialog. */
export function PrintButton() {
  return (
    <Button tone="primary" onClick={() => window.print()} className="noscript:hidden">
      <Printer aria-hidden="true" className="size-4" /> Print
    </Button>
  );
}
