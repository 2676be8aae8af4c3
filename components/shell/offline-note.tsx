"use client";

import { useSyncExternalStore } from "react";

/** A note that is shown while the browser is offline. */
export function OfflineNote() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {!isOnline && (
        <p className="border-b border-warn bg-surface-2 px-4 py-2 text-center lg:px-6">
          You&rsquo;re offline. Prices aren&rsquo;t updating.
        </p>
      )}
    </div>
  );
}

function subscribe(onChange: () => void): () => void {
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  return () => {
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
  };
}
