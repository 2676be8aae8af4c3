"use client";

import { useSyncExternalStore } from "react";
import type { PasskeySupport, ProofNeed } from "@/lib/domain/second-factor";

const subscribe = () => () => {};

interface Proof {
  need: ProofNeed;
  passkeySupport: PasskeySupport;
}

/** Returns whether a form can be confirmed with a passkey, in this browser and at this address. */
export function useOffersPasskey(proof: Proof | null): boolean {
  const isSupported = useSyncExternalStore(
    subscribe,
    () => "PublicKeyCredential" in window,
    () => true,
  );
  if (proof?.need.kind !== "factor" || !proof.need.hasPasskeys) return false;
  return isSupported && proof.passkeySupport === "here";
}
