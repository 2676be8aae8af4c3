import "server-only";
import { type ApiContext, type Middleware } from "@/lib/api/middleware/middleware";
import { authenticate } from "@/lib/auth/authenticate";
import { clientAddress } from "@/lib/auth/client-address";
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
    context.principal = { ...principal, requestId: context.requestId };
    context.fields.userId = principal.userId;
    context.fields.keyId = principal.keyId;
  }
  return next();
};

/** The version of the account is read together with the key, in one query. */
function authenticateKey(context: ApiContext): Promise<Principal> {
  const { operation, request, fields } = context;
  const { access } = operation;
  const scope = access === "open" || access === "key" ? null : access;
  return authenticate(context.bearer ?? readBearer(request.headers), scope, {
    address: clientAddress(request.headers),
    onGenuine: (caller) => {
      // A genuine key is logged by name even if it lacks the scope.
      Object.assign(fields, { keyId: caller.key.id, userId: caller.key.userId });
      context.accountVersion = caller.version;
      context.comparedAt = caller.comparedAt?.getTime() ?? null;
    },
  });
}
