"use client";

import { useEffect } from "react";
import { refetchAccount } from "@/lib/client/use-positions";

/** Stands by the result of an action that changed the account: live figures are read again. */
export function RefetchAccount() {
  useEffect(() => {
    void refetchAccount();
  }, []);
  return null;
}
