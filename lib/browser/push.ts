/** Whether this browser gets push notifications of the shown account, or why it can't. */
export type PushState = "on" | "off" | "blocked" | "insecure" | "unsupported";

/** A browser's push subscription, as the server stores it. */
export type GivenSubscription = Record<"endpoint" | "publicKey" | "auth", string>;

/**
 * Reads the state of this browser.
 *
 * @param isListed whether the server sends to it. The browser may have lost its subscription since.
 */
export async function readPushState(isListed: boolean): Promise<PushState> {
  if (!window.isSecureContext) return "insecure";
  const hasPush =
    "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  if (!hasPush) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  if (!isListed || Notification.permission !== "granted") return "off";
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ? "on" : "off";
}

/**
 * Asks for the permission and subscribes this browser. Returns null if its user gave none.
 *
 * @param serverKey the public key of the service in base64url.
 */
export async function subscribeBrowser(serverKey: string): Promise<GivenSubscription | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  await navigator.serviceWorker.register("/sw.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await subscribe(pushManager, serverKey);
  const { endpoint = "", keys = {} } = subscription.toJSON();
  return { endpoint, publicKey: keys["p256dh"] ?? "", auth: keys["auth"] ?? "" };
}

async function subscribe(pushManager: PushManager, serverKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: serverKey };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    // The browser has a subscription for another key: that of a service which was here before.
    const former = await pushManager.getSubscription();
    if (!former) throw error;
    await former.unsubscribe();
    return pushManager.subscribe(options);
  }
}
