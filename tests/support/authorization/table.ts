// Every endpoint, page and action of the service, and who may use it. One without an entry here fails
// tests/architecture by its name.
import ts from "typescript";
import { SANDBOX_ROUTES } from "@/lib/sandbox/router";
import { PRODUCT } from "@/tests/architecture/source";

/** Who may use an endpoint. */
export type Door =
  /** An API key with the scope that lib/api/routes.ts names. */
  | "key"
  /** A signed-in browser with its session cookie. */
  | "session"
  /** The operator's machines with CRON_SECRET. */
  | "operator"
  /** A sandbox wallet with its owner's signature or its API key. */
  | "wallet"
  /** Everybody: it has public data only, or is a sign-in. */
  | "everybody"
  /** Nobody: it always rejects. */
  | "nobody";

/** All methods of all route files. */
export const ENDPOINTS: Readonly<Record<Door, readonly string[]>> = {
  key: [
    "GET /api/v1/account/balance",
    "GET /api/v1/activity",
    "GET /api/v1/events",
    "GET /api/v1/events/stream",
    "GET /api/v1/fills",
    "POST /api/v1/freeze",
    "POST /api/mcp",
    "GET /api/v1/key",
    "PATCH /api/v1/key",
    "GET /api/v1/markets",
    "GET /api/v1/markets/[marketId]",
    "GET /api/v1/markets/[marketId]/book",
    "GET /api/v1/markets/[marketId]/history",
    "GET /api/v1/orders",
    "POST /api/v1/orders",
    "DELETE /api/v1/orders",
    "GET /api/v1/orders/[orderId]",
    "DELETE /api/v1/orders/[orderId]",
    "GET /api/v1/orders/open",
    // An order's id could be "open" or "preview".
    "DELETE /api/v1/orders/open",
    "GET /api/v1/orders/preview",
    "DELETE /api/v1/orders/preview",
    "POST /api/v1/orders/preview",
    "GET /api/v1/positions",
    "POST /api/v1/positions/[positionId]/redeem",
    "POST /api/v1/positions/split",
    "POST /api/v1/positions/merge",
    "GET /api/v1/wallet/approvals",
    "POST /api/v1/wallet/approvals",
    "GET /api/v1/wallet/transactions",
    "GET /api/v1/wallet/transactions/[transactionId]",
    "DELETE /api/v1/wallet/transactions/[transactionId]",
    "GET /api/v1/webhooks",
    "POST /api/v1/webhooks",
    "GET /api/v1/webhooks/[webhookId]",
    "PATCH /api/v1/webhooks/[webhookId]",
    "DELETE /api/v1/webhooks/[webhookId]",
    "POST /api/v1/webhooks/[webhookId]/rotate",
    "POST /api/v1/webhooks/[webhookId]/test",
    "POST /api/v1/webhooks/[webhookId]/replay",
    "GET /api/v1/webhooks/[webhookId]/deliveries",
    "POST /api/v1/webhooks/[webhookId]/deliveries/[deliveryId]/resend",
  ],
  session: [
    "GET /api/ui/activity.csv",
    "GET /api/ui/book",
    "GET /api/ui/edit",
    "GET /api/ui/events",
    "GET /api/ui/notifications",
    "GET /api/ui/notifications/unread",
    "GET /api/ui/open-orders",
    "GET /api/ui/order",
    "GET /api/ui/orders.csv",
    "GET /api/ui/own-market",
    "GET /api/ui/placement",
    "GET /api/ui/stream",
    "GET /api/ui/summary",
    "GET /api/ui/ticket",
    "GET /api/ui/v1/account/balance",
    "GET /api/ui/v1/activity",
    "GET /api/ui/v1/fills",
    "GET /api/ui/v1/markets",
    "GET /api/ui/v1/markets/[marketId]",
    "GET /api/ui/v1/markets/[marketId]/book",
    "GET /api/ui/v1/markets/[marketId]/history",
    "GET /api/ui/v1/orders",
    "GET /api/ui/v1/orders/[orderId]",
    "GET /api/ui/v1/orders/open",
    "GET /api/ui/v1/positions",
  ],
  operator: [
    "GET /api/cron/reconcile",
    "GET /api/ops/metrics",
    "GET /api/ops/ready",
    "GET /api/ops/sandbox",
    "POST /api/ops/sandbox",
  ],
  wallet: [
    "POST /api/sandbox/clob/auth/api-key",
    "DELETE /api/sandbox/clob/auth/api-key",
    "GET /api/sandbox/clob/auth/builder-api-key",
    "POST /api/sandbox/clob/auth/builder-api-key",
    "DELETE /api/sandbox/clob/auth/builder-api-key",
    "GET /api/sandbox/clob/auth/api-keys",
    "GET /api/sandbox/clob/auth/ban-status/closed-only",
    "GET /api/sandbox/clob/auth/derive-api-key",
    "GET /api/sandbox/clob/balance-allowance",
    "GET /api/sandbox/clob/balance-allowance/update",
    "DELETE /api/sandbox/clob/cancel-all",
    "DELETE /api/sandbox/clob/cancel-market-orders",
    "GET /api/sandbox/clob/data/order/[id]",
    "GET /api/sandbox/clob/data/orders",
    "GET /api/sandbox/clob/data/pre-migration-orders",
    "GET /api/sandbox/clob/data/trades",
    "GET /api/sandbox/clob/notifications",
    "DELETE /api/sandbox/clob/notifications",
    "GET /api/sandbox/clob/order-scoring",
    "POST /api/sandbox/clob/order",
    "DELETE /api/sandbox/clob/order",
    "POST /api/sandbox/clob/orders-scoring",
    "POST /api/sandbox/clob/orders",
    "DELETE /api/sandbox/clob/orders",
    "GET /api/sandbox/clob/rewards/user",
    "GET /api/sandbox/clob/rewards/user/markets",
    "GET /api/sandbox/clob/rewards/user/percentages",
    "GET /api/sandbox/clob/rewards/user/total",
    "POST /api/sandbox/clob/v1/heartbeats",
    "GET /api/sandbox/clob/v1/user/session-signers",
    "POST /api/sandbox/relayer/relayer/api/keys",
    "POST /api/sandbox/relayer/submit",
    "GET /api/sandbox/relayer/transactions",
    "GET /api/sandbox/relayer/v1/account/transactions/[id]",
    "GET /api/sandbox/relayer/v1/account/transactions/params",
    "POST /api/sandbox/relayer/v1/session-signers/authorizations",
    "POST /api/sandbox/relayer/v1/session-signers/revocations",
  ],
  everybody: [
    "GET /api/health",
    "GET /api/v1/openapi.json",
    "GET /api/v1/asyncapi.json",
    "GET /llms.txt",
    "GET /icons/[name]",
    "GET /api/auth/[...nextauth]",
    "POST /api/auth/[...nextauth]",
    // The venue's public data by address, which the venue also shows to everybody.
    ...`book clob-markets/[id] fee-rate fees/builder-fees/[id] last-trade-price
      markets-by-token/[id] markets/[id] markets/live-activity/[id] markets midpoint neg-risk ok price
      prices-history rewards/markets/[id] rewards/markets/current sampling-markets sampling-simplified-markets simplified-markets spread
      tick-size time version`
      .split(/\s+/)
      .map((path) => `GET /api/sandbox/clob/${path}`),
    ...`books last-trades-prices midpoints prices spreads`
      .split(" ")
      .map((path) => `POST /api/sandbox/clob/${path}`),
    "POST /api/sandbox/rpc",
    ...`data/activity data/closed-positions data/positions data/traded data/trades data/v2/positions
      data/v2/trades data/v2/user-stats data/v2/value data/value data-v2/v2/positions
      data-v2/v2/trades data-v2/v2/user-stats data-v2/v2/value gamma/events/keyset gamma/events
      gamma/events/[id] gamma/events/slug/[id] gamma/markets/keyset gamma/markets gamma/markets/[id]
      gamma/markets/slug/[id]
      gamma/public-search gamma/tags relayer/deployed relayer/nonce
      relayer/relay-payload relayer/transaction`
      .split(/\s+/)
      .map((path) => `GET /api/sandbox/${path}`),
  ],
  nobody: [
    ..."GET HEAD POST PUT PATCH DELETE OPTIONS"
      .split(" ")
      .map((method) => `${method} /api/[...rest]`),
    ..."GET HEAD PUT PATCH DELETE OPTIONS".split(" ").map((method) => `${method} /api/mcp`),
  ],
};

/** Every page, and whether it requires a session. */
export const PAGES: Readonly<Record<string, "session" | "everybody">> = {
  "/sign-in": "everybody",
  "/sign-in/factor": "everybody",
  "/sign-up": "everybody",
  "/reset-password": "everybody",
  "/docs": "everybody",
  "/docs/[group]": "everybody",
  "/docs/errors": "everybody",
  "/docs/event-types": "everybody",
  "/docs/money": "everybody",
  "/docs/order-states": "everybody",
  "/docs/paper-and-live": "everybody",
  "/docs/receiving-webhooks": "everybody",
  "/docs/retries": "everybody",
  "/docs/search": "everybody",
  "/": "session",
  "/activity": "session",
  "/activity/proof": "session",
  "/developers": "session",
  "/developers/events": "session",
  "/developers/webhooks": "session",
  "/developers/webhooks/[webhookId]": "session",
  "/developers/webhooks/[webhookId]/delete": "session",
  "/developers/webhooks/[webhookId]/deliveries/[deliveryId]": "session",
  "/developers/webhooks/[webhookId]/edit": "session",
  "/developers/webhooks/[webhookId]/rotate": "session",
  "/developers/webhooks/new": "session",
  "/keys": "session",
  "/keys/new": "session",
  "/keys/requests/[requestId]": "session",
  "/keys/[keyId]": "session",
  "/keys/[keyId]/limits": "session",
  "/keys/[keyId]/rename": "session",
  "/keys/[keyId]/revoke": "session",
  "/keys/[keyId]/rotate": "session",
  "/approvals": "session",
  "/approvals/[orderId]": "session",
  "/markets": "session",
  "/markets/[slug]": "session",
  "/notifications": "session",
  "/orders": "session",
  "/orders/[orderId]": "session",
  "/orders/[orderId]/edit": "session",
  "/orders/cancel": "session",
  "/orders/receipt/[key]": "session",
  "/settings": "session",
  "/settings/security": "session",
  "/settings/security/app": "session",
  "/settings/security/codes": "session",
  "/settings/security/passkey": "session",
  "/settings/security/remove": "session",
  "/status": "session",
  "/trade": "session",
  "/trade/review": "session",
  "/wallet": "session",
  "/wallet/live": "session",
  "/wallet/live/switch": "session",
};

/** Every server action: what it requires first, or why it requires nothing. */
export const ACTIONS: Readonly<Record<string, "session" | { because: string }>> = {
  signInAction: { because: "it is how a session begins" },
  signUpAction: { because: "it is how an account begins" },
  tryDemoAction: { because: "the demo account is there for everybody" },
  resetPasswordAction: { because: "the link's token says whose password it is" },
  signOutAction: { because: "it ends the caller's own session, if there is one" },
  signOutToSignUpAction: { because: "it ends the caller's own session, if there is one" },
  proveSignInAction: { because: "the sign-in that waits in the browser says whose factor it is" },
  startSignInPasskeyAction: { because: "it is a step of a sign-in with the right password" },
  switchModeAction: "session",
  switchToLiveAction: "session",
  startPasskeyCheckAction: "session",
  startPasskeyAction: "session",
  finishPasskeyAction: "session",
  startTotpAction: "session",
  confirmTotpAction: "session",
  renewCodesAction: "session",
  removeFactorAction: "session",
  claimAction: "session",
  claimAllAction: "session",
  claimOnMarketAction: "session",
  mergeAction: "session",
  cancelNow: "session",
  cancelAllNow: "session",
  cancelAndReturn: "session",
  cancelAllAndReturn: "session",
  cancelFromDetail: "session",
  cancelOrderAction: "session",
  replaceInRow: "session",
  replaceFromPage: "session",
  watchAction: "session",
  markReadAction: "session",
  markAllReadAction: "session",
  depositAction: "session",
  resetAction: "session",
  setApprovalsAction: "session",
  cancelTransactionAction: "session",
  setAutomaticClaimsAction: "session",
  importWalletAction: "session",
  removeWalletAction: "session",
  saveTradingAction: "session",
  saveDisplayAction: "session",
  saveRegionAction: "session",
  saveShownKindsAction: "session",
  changePasswordAction: "session",
  turnOnPushAction: "session",
  savePushAction: "session",
  removePushAction: "session",
  testPushAction: "session",
  endSessionAction: "session",
  endOtherSessionsAction: "session",
  placeOrderAction: "session",
  confirmOrderAction: "session",
  saveReviewAction: "session",
  createKeyAction: "session",
  rotateKeyAction: "session",
  renameKeyAction: "session",
  revokeKeyAction: "session",
  setLimitsAction: "session",
  freezeAction: "session",
  thawAction: "session",
  approveAction: "session",
  declineAction: "session",
  createWebhookAction: "session",
  editWebhookAction: "session",
  rotateWebhookAction: "session",
  setWebhookStatusAction: "session",
  testWebhookAction: "session",
  replayWebhookAction: "session",
  resendDeliveryAction: "session",
  deleteWebhookAction: "session",
};

const ROUTE_FILE = /^app\/(?!api\/sandbox\/)(.*\/)?route\.tsx?$/;

/** An exported function with its name. */
interface Exported {
  name: string;
  node: ts.Node;
}

/** Lists every method of the route files and the sandbox's router, such as "GET /api/v1/orders". */
export function foundEndpoints(): string[] {
  const exported = PRODUCT.filter(({ path }) => ROUTE_FILE.test(path)).flatMap(({ path, text }) =>
    listExports(path, text)
      .filter(({ name }) => /^[A-Z]+$/.test(name))
      .filter(({ name }) => name !== "HEAD" || !isHeadOfGet(text))
      .map(({ name }) => `${name} ${toUrl(path)}`),
  );
  const routed = Object.entries(SANDBOX_ROUTES).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} /api/sandbox${path.replace(":id", "[id]")}`),
  );
  return [...exported, ...routed];
}

/** Returns whether HEAD has GET's handler, and so the same access. */
const isHeadOfGet = (text: string) =>
  /export const HEAD = GET;|export \{ DELETE, GET, HEAD \} from/.test(text);

/** Lists the pages by URL, with their files. */
export function foundPages(): { url: string; path: string; body: ts.Node | undefined }[] {
  // The page of every other path is none of its own: it is the 404 page.
  const own = PRODUCT.filter(({ path }) => !path.startsWith("app/(lost)/"));
  return own
    .filter(({ path }) => /^app\/(.*\/)?page\.tsx?$/.test(path))
    .map(({ path, text }) => ({
      url: toUrl(path),
      path,
      body: listExports(path, text).find(({ name }) => name === "default")?.node,
    }));
}

/** Lists the exports of `"use server"` files. Anybody who knows its id can call each of them. */
export function foundActions(): { name: string; body: ts.Node }[] {
  return PRODUCT.filter(({ text }) => /^"use server";/m.test(text)).flatMap(({ path, text }) =>
    listExports(path, text).map(({ name, node }) => ({ name, body: node })),
  );
}

/** Lists the calls in a function, in order. */
export function listCalls(node: ts.Node): string[] {
  const calls: string[] = [];
  const visit = (child: ts.Node): void => {
    ts.forEachChild(child, visit);
    if (ts.isCallExpression(child)) calls.push(child.expression.getText());
  };
  visit(node);
  return calls;
}

function toUrl(path: string): string {
  const folders = path.split("/").slice(1, -1);
  return `/${folders.filter((folder) => !/^\(.*\)$/.test(folder)).join("/")}`;
}

function listExports(path: string, text: string): Exported[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TSX);
  return source.statements.flatMap((statement): Exported[] => {
    if (ts.isExportDeclaration(statement)) return reExported(statement);
    if (ts.isExportAssignment(statement)) {
      return [{ name: "default", node: unwrapPage(source, statement.expression) }];
    }
    const kinds = ts.canHaveModifiers(statement)
      ? (ts.getModifiers(statement) ?? []).map(({ kind }) => kind)
      : [];
    if (!kinds.includes(ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isFunctionDeclaration(statement)) {
      const isDefault = kinds.includes(ts.SyntaxKind.DefaultKeyword);
      return [{ name: isDefault ? "default" : (statement.name?.text ?? ""), node: statement }];
    }
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.map((node) => ({
      name: node.name.getText(),
      node,
    }));
  });
}

/** Returns the page of `export default withNotFound(Page, NotFound)`, which calls it first. */
function unwrapPage(source: ts.SourceFile, exported: ts.Expression): ts.Node {
  if (!ts.isCallExpression(exported) || exported.expression.getText() !== "withNotFound") {
    return exported;
  }
  const name = exported.arguments[0]?.getText();
  const page = source.statements.find(
    (statement) => ts.isFunctionDeclaration(statement) && statement.name?.text === name,
  );
  return page ?? exported;
}

function reExported({ exportClause, isTypeOnly }: ts.ExportDeclaration): Exported[] {
  if (isTypeOnly || !exportClause || !ts.isNamedExports(exportClause)) return [];
  return exportClause.elements.map((node) => ({ name: node.name.text, node }));
}
