// What there is to ask of the service, as the files say, and who may ask it, as this table says.
// Whatever appears among the files without an entry here fails tests/architecture by its name.
import ts from "typescript";
import { PRODUCT } from "@/tests/architecture/source";

/** Who an endpoint opens to. */
export type Door =
  /** An API key with the scope that lib/http/routes.ts names. */
  | "key"
  /** A signed-in browser, by its session cookie. */
  | "session"
  /** The operator's own machines, by CRON_SECRET. */
  | "operator"
  /** A wallet of the sandbox: its owner's signature, or its API key's. */
  | "wallet"
  /** Everybody: it says nothing of anybody, or is where one comes in. */
  | "everybody"
  /** Nobody: it refuses. */
  | "nobody";

/** Every method of every route file. */
export const ENDPOINTS: Readonly<Record<Door, readonly string[]>> = {
  key: [
    "GET /api/v1/account/balance",
    "GET /api/v1/activity",
    "GET /api/v1/fills",
    "GET /api/v1/key",
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
    // The id of an order may be "open", or "preview".
    "DELETE /api/v1/orders/open",
    "GET /api/v1/orders/preview",
    "DELETE /api/v1/orders/preview",
    "POST /api/v1/orders/preview",
    "GET /api/v1/positions",
    "POST /api/v1/positions/[positionId]/redeem",
  ],
  session: [
    "GET /api/ui/activity.csv",
    "GET /api/ui/book",
    "GET /api/ui/open-orders",
    "GET /api/ui/orders.csv",
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
  operator: ["GET /api/cron/reconcile", "GET /api/ops/metrics", "GET /api/ops/ready"],
  wallet: [
    "POST /api/sandbox/clob/auth/api-key",
    "DELETE /api/sandbox/clob/auth/api-key",
    "GET /api/sandbox/clob/auth/api-keys",
    "GET /api/sandbox/clob/auth/ban-status/closed-only",
    "GET /api/sandbox/clob/auth/derive-api-key",
    "GET /api/sandbox/clob/balance-allowance",
    "GET /api/sandbox/clob/balance-allowance/update",
    "DELETE /api/sandbox/clob/cancel-all",
    "DELETE /api/sandbox/clob/cancel-market-orders",
    "GET /api/sandbox/clob/data/order/[orderId]",
    "GET /api/sandbox/clob/data/orders",
    "GET /api/sandbox/clob/data/trades",
    "GET /api/sandbox/clob/notifications",
    "DELETE /api/sandbox/clob/notifications",
    "GET /api/sandbox/clob/order-scoring",
    "POST /api/sandbox/clob/order",
    "DELETE /api/sandbox/clob/order",
    "POST /api/sandbox/clob/orders-scoring",
    "POST /api/sandbox/clob/orders",
    "DELETE /api/sandbox/clob/orders",
    "POST /api/sandbox/clob/v1/heartbeats",
  ],
  everybody: [
    "GET /api/health",
    "GET /api/v1/openapi.json",
    "GET /llms.txt",
    "GET /icons/[name]",
    "GET /api/auth/[...nextauth]",
    "POST /api/auth/[...nextauth]",
    // The venue's public data, which the venue shows to everybody too, by public address.
    ...`book clob-markets/[conditionId] fee-rate fees/builder-fees/[code] last-trade-price
      markets-by-token/[tokenId] markets/[conditionId] markets midpoint neg-risk ok price
      prices-history sampling-markets sampling-simplified-markets simplified-markets spread
      tick-size time version`
      .split(/\s+/)
      .map((path) => `GET /api/sandbox/clob/${path}`),
    ...`books last-trades-prices midpoints prices spreads`
      .split(" ")
      .map((path) => `POST /api/sandbox/clob/${path}`),
    ...`data/activity data/closed-positions data/positions data/traded data/trades data/v2/positions
      data/v2/user-stats data/v2/value data/value gamma/events/keyset gamma/events
      gamma/events/slug/[slug] gamma/markets/keyset gamma/markets gamma/markets/slug/[slug]
      gamma/public-search gamma/tags relayer/deployed`
      .split(/\s+/)
      .map((path) => `GET /api/sandbox/${path}`),
  ],
  nobody: [
    ..."GET HEAD POST PUT PATCH DELETE OPTIONS"
      .split(" ")
      .map((method) => `${method} /api/[...rest]`),
    ..."GET POST PUT PATCH DELETE".split(" ").map((method) => `${method} /api/sandbox/[...rest]`),
  ],
};

/** Every page, and whether it opens only to a signed-in browser. */
export const PAGES: Readonly<Record<string, "session" | "everybody">> = {
  "/sign-in": "everybody",
  "/sign-up": "everybody",
  "/docs": "everybody",
  "/docs/errors": "everybody",
  "/docs/money": "everybody",
  "/docs/order-states": "everybody",
  "/docs/paper-and-live": "everybody",
  "/docs/retries": "everybody",
  "/": "session",
  "/activity": "session",
  "/keys": "session",
  "/keys/new": "session",
  "/keys/[keyId]/rename": "session",
  "/keys/[keyId]/revoke": "session",
  "/keys/[keyId]/rotate": "session",
  "/markets": "session",
  "/markets/[slug]": "session",
  "/orders": "session",
  "/orders/[orderId]": "session",
  "/orders/cancel": "session",
  "/orders/receipt/[key]": "session",
  "/settings": "session",
  "/settings/security": "session",
  "/status": "session",
  "/trade": "session",
  "/trade/review": "session",
  "/wallet": "session",
  "/wallet/live": "session",
};

/** Every server action: what it asks for before it does anything, or why it asks for nothing. */
export const ACTIONS: Readonly<Record<string, "session" | { because: string }>> = {
  signInAction: { because: "it is how a session begins" },
  signUpAction: { because: "it is how an account begins" },
  tryDemoAction: { because: "the demo account is there for everybody" },
  signOutAction: { because: "it ends the caller's own session, if there is one" },
  switchModeAction: "session",
  claimAction: "session",
  cancelNow: "session",
  cancelAllNow: "session",
  cancelAndReturn: "session",
  cancelAllAndReturn: "session",
  cancelFromDetail: "session",
  cancelOrderAction: "session",
  watchAction: "session",
  depositAction: "session",
  resetAction: "session",
  importWalletAction: "session",
  removeWalletAction: "session",
  saveTradingAction: "session",
  saveDisplayAction: "session",
  saveRegionAction: "session",
  changePasswordAction: "session",
  endSessionAction: "session",
  endOtherSessionsAction: "session",
  placeOrderAction: "session",
  confirmOrderAction: "session",
  createKeyAction: "session",
  rotateKeyAction: "session",
  renameKeyAction: "session",
  revokeKeyAction: "session",
};

/** A function that a file exports, with its name there. */
interface Exported {
  name: string;
  node: ts.Node;
}

/** "GET /api/v1/orders" for each method that a route file exports. */
export function foundEndpoints(): string[] {
  return PRODUCT.filter(({ path }) => /^app\/(.*\/)?route\.tsx?$/.test(path)).flatMap(
    ({ path, text }) =>
      exportsOf(path, text)
        .filter(({ name }) => /^[A-Z]+$/.test(name))
        .map(({ name }) => `${name} ${urlOf(path)}`),
  );
}

/** The pages by their addresses, each with its file. */
export function foundPages(): { url: string; path: string; body: ts.Node | undefined }[] {
  return PRODUCT.filter(({ path }) => /^app\/(.*\/)?page\.tsx?$/.test(path)).map(
    ({ path, text }) => ({
      url: urlOf(path),
      path,
      body: exportsOf(path, text).find(({ name }) => name === "default")?.node,
    }),
  );
}

/** What `"use server"` files export: each can be called by anybody who knows its id. */
export function foundActions(): { name: string; body: ts.Node }[] {
  return PRODUCT.filter(({ text }) => /^"use server";/m.test(text)).flatMap(({ path, text }) =>
    exportsOf(path, text).map(({ name, node }) => ({ name, body: node })),
  );
}

/** The calls that a function makes, in the order in which they are made. */
export function callsOf(node: ts.Node): string[] {
  const calls: string[] = [];
  const visit = (child: ts.Node): void => {
    ts.forEachChild(child, visit);
    if (ts.isCallExpression(child)) calls.push(child.expression.getText());
  };
  visit(node);
  return calls;
}

function urlOf(path: string): string {
  const folders = path.split("/").slice(1, -1);
  return `/${folders.filter((folder) => !/^\(.*\)$/.test(folder)).join("/")}`;
}

function exportsOf(path: string, text: string): Exported[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TSX);
  return source.statements.flatMap((statement): Exported[] => {
    if (ts.isExportDeclaration(statement)) return reExported(statement);
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

function reExported({ exportClause, isTypeOnly }: ts.ExportDeclaration): Exported[] {
  if (isTypeOnly || !exportClause || !ts.isNamedExports(exportClause)) return [];
  return exportClause.elements.map((node) => ({ name: node.name.text, node }));
}
