import "server-only";
import { type ApiContext, type Middleware } from "@/lib/api/middleware/middleware";
import { computeVersion, parseOrderId } from "@/lib/api/middleware/cache-response";
import { authenticate } from "@/lib/auth/authenticate";
import { readBearer } from "@/lib/auth/bearer";
import type { Principal } from "@/lib/auth/principal";
import { authenticateSession } from "@/lib/auth/session";

/** Identifies the caller by API key or session cookie. An open operation needs neither. */
export const authenticateCaller: Middleware = async (context, next) => {
  if (context.entry !== "open") {
    const principal =
      context.entry === "session"
        ? await authenticateSession(context.request)
        : await authenticateKey(context);
    context.principal = principal;
    context.fields.userId = principal.userId;
    context.fields.keyId = principal.keyId;
  }
  return next();
};

/** The version of the data behind the response is read together with the key, in one query. */
function authenticateKey(context: ApiContext): Promise<Principal> {
  const { operation, request, cachePolicy, fields } = context;
  const { access } = operation;
  return authenticate(
    context.bearer ?? readBearer(request.headers),
    access === "open" || access === "key" ? null : access,
    {
      orderId: cachePolicy === "order" ? parseOrderId(request) : null,
      ofOpenOrders: cachePolicy === "open orders",
      // A genuine key is logged by name even if it lacks the scope.
      onGenuine: (caller) => {
        Object.assign(fields, { keyId: caller.key.id, userId: caller.key.userId });
        context.dataVersion = cachePolicy && computeVersion(cachePolicy, caller);
        context.comparedAt = caller.comparedAt?.getTime() ?? null;
      },
    },
  );
}
