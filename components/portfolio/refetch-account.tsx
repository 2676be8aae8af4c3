"use client";

import { useEffect } from "react";
import { refetchAccount } from "@/lib/browser/use-positions";

/** Refetches live figures after an action changed the account. */
export function RefetchAccount() {
  useEffect(() => {
    void refetchAccount();
  }, []);
  return null;
}
