/**
 * Ends the push subscription of this browser, if it has one. The server stops sending by itself; this
 * also makes the browser's push service forget the address.
 */
export async function endPush(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration("/");
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
