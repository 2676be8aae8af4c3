import "server-only";
import { SAMPLE_EVENT, SAMPLE_IDS, SAMPLE_SECRET } from "@/lib/api/operations/examples";
import { signMessage } from "@/lib/webhooks/sign";

/** Returns a message as a receiver gets it, signed with the secret of the other examples. */
export function writeReceived(): string {
  const body = JSON.stringify(SAMPLE_EVENT);
  const timestamp = new Date(SAMPLE_EVENT.createdAt);
  const headers = signMessage({ id: SAMPLE_IDS.deliveryId, timestamp, body }, [SAMPLE_SECRET]);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ["POST /hooks/ante HTTP/1.1", "content-type: application/json", ...lines, "", body].join(
    "\n",
  );
}

/** A receiver that needs no library. */
export const VERIFY_IN_JAVASCRIPT = `import { createHmac, timingSafeEqual } from "node:crypto";

function isFromAnte(headers, body, secret) {
  const { "webhook-id": id, "webhook-timestamp": sentAt } = headers;
  if (Math.abs(Date.now() / 1000 - Number(sentAt)) > 300) return false;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(\`\${id}.\${sentAt}.\${body}\`).digest();
  return headers["webhook-signature"].split(" ").some((signature) => {
    const given = Buffer.from(signature.replace("v1,", ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;

export const VERIFY_IN_PYTHON = `import base64, hashlib, hmac, time

def is_from_ante(headers, body, secret):
    message_id, sent_at = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(sent_at)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{sent_at}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(given.removeprefix("v1,"), expected)
               for given in headers["webhook-signature"].split(" "))`;
