// Generated from /v1/openapi.json by "npm run docs". Don't edit.
import type { Decimal } from "./decimal.ts";

export interface paths {
    "/v1/account/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the USDC balance, allowance and addresses
         * @description Cash includes what open buy orders reserve. Base units are millionths of a USDC, as text, so that no client loses digits.
         */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List positions with portfolio value, profit and loss
         * @description Everything the account holds at current prices. A position becomes redeemable when its market resolves and stays listed until it is claimed.
         */
        get: operations["listPositions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/positions/{positionId}/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a position of a resolved market
         * @description Claims the payout of a resolved position: 1 USDC for each winning share, nothing for a losing one. The position's id is its token id. A live claim is a transaction of the wallet, which claims the whole market and goes on in the background: status says how far it is, and repeated requests return the same claim.
         */
        post: operations["redeemPosition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/positions/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn USDC into shares of both outcomes
         * @description Pays 1 USDC for one share of each outcome. On paper it is final at once. A live split is a transaction of the wallet, which goes on in the background: status says how far it is.
         */
        post: operations["splitPosition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/positions/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn shares of both outcomes into USDC
         * @description Gives one share of each outcome for 1 USDC. Shares that open orders reserve can't be merged. A live merge goes on in the background, as a split does.
         */
        post: operations["mergePositions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallet/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the approvals of the live wallet
         * @description Lists every contract that needs an approval of the live wallet for trading, and whether the wallet has given it, as read from the chain now. A paper account needs none.
         */
        get: operations["getApprovals"];
        put?: never;
        /**
         * Give the missing approvals
         * @description Sends one transaction of the live wallet with every approval that is missing, and none if nothing is missing. It goes on in the background: transaction.status says how far it is.
         */
        post: operations["setApprovals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallet/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List claims, splits, merges and approvals
         * @description The account's newest 100, newest first. Claims on paper are in the activity only.
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallet/transactions/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one transaction and its status
         * @description Reads a claim, split, merge or approval by the id that its request returned.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        /**
         * Cancel a transaction that was not submitted
         * @description Ends a waiting claim, split, merge or approval as failed. One that was submitted, or may have been, can't be canceled. A repeated request returns the same transaction.
         */
        delete: operations["cancelTransaction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this API key's scopes, limits and state
         * @description The key that made the request: its mode, scopes, expiry and last use; the limits that apply to it, whether they are its own, its account's or its user's; and whether it is frozen. Amounts are decimal text.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Give this key lower limits
         * @description Lowers limits of the key that made the request, or adds some. Only its owner can raise or remove them, in the dashboard. Limits that are left out stay as they are.
         */
        patch: operations["lowerLimits"];
        trace?: never;
    };
    "/v1/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop this key from placing orders, and cancel its open ones
         * @description Freezes the key that made the request: from the response on it places nothing, and its open orders are canceled. Only its owner can thaw it, in the dashboard. A repeated request changes nothing.
         */
        post: operations["freezeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders in every state, newest first
         * @description Every order the account ever placed, refused ones included. idempotencyKey finds the one order of a key. Unknown query names are refused.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Place an order exactly once
         * @description The idempotency key makes a retry safe.
         *     - 200: the order is recorded and accepted.
         *     - 502, or no response: send the same body with the same `idempotencyKey` again.
         *     - You can send the key as the header `Idempotency-Key`. If you send both, they must have the same value.
         *     - Unsupported options return 400: `reduceOnly`, `dryRun`, `expiration`, `clientOrderId`, `stopPrice`, `leverage` and the like. So does a body that has a property twice.
         *     - An order above the key's limit `approvalAbove` returns the status `pending_approval`. It waits up to 15 minutes for its owner, at `approvalUrl`.
         *     - With a live key, a `BUY` with `FOK` takes `amount` only, and `expiresAt` is at least 125 seconds ahead, in whole seconds.
         */
        post: operations["placeOrder"];
        /**
         * Cancel all open orders, or those of one market
         * @description Cancels all open orders at once, or those of one market, and says which ones could not be canceled. Unknown query names and bodies are refused; an unknown market cancels nothing. With a live key the response comes within five seconds: a live order in notCanceled that is still open, unknown or submitting is recorded to be canceled, and the service goes on until it is.
         */
        delete: operations["cancelOrders"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what an order would do now, without placing it
         * @description Takes the body of an order and says what it would do now: average price, fee, cost and what would rest. Nothing is placed or reserved. What the account or the book would refuse comes back in refusal, with status 200.
         */
        post: operations["previewOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open orders, newest first
         * @description Orders that stand on the book. Without onlyFirstPage=true everything from the cursor on is listed, up to 1,000 orders.
         */
        get: operations["listOpenOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one order, in any state
         * @description The order's record with its fills and its events, for every order ever placed. This is how a program learns what became of an order.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        /**
         * Cancel one order and release its reserved funds
         * @description Cancels what has not filled and releases what it reserved. Canceling twice returns the same record; an order that filled first cannot be canceled.
         */
        delete: operations["cancelOrder"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/markets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List markets to trade, with their token ids
         * @description Markets with both outcomes, their token ids and best prices. A search has at most 20 words and 100 characters. Categories are taken in any letter case.
         */
        get: operations["listMarkets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/markets/{marketId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one market by condition id or slug
         * @description A market with its rules and where its result comes from.
         */
        get: operations["getMarket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/markets/{marketId}/book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the order book of one outcome
         * @description The book of one outcome, best prices first, up to 1,000 prices on each side. The other outcome's book is its mirror: a bid at p is an ask at 1 - p.
         */
        get: operations["getBook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/markets/{marketId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the price history of one outcome
         * @description Prices of one outcome over time, oldest first.
         */
        get: operations["getHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every change to the account, in order and without gaps
         * @description Everything that changed the account: orders, fills, positions, cash, keys. Events are numbered 1, 2, 3 and so on in the order in which they were committed.
         *     - Store the `seq` of the last event that you have handled, and send it as `after`.
         *     - `waitSeconds` holds the response until there is an event.
         *     - `lastSeq` above your last number means that there is more. Ask again at once.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the same events live, as server-sent events
         * @description Sends each event with its number as `id`, its type as `event`, and as `data` the event as `GET /v1/events` returns it.
         *     - `after`, or the header `Last-Event-ID`, names the last event that you have. Everything since is sent first, then what happens, without a gap or a repeat. Without either, the stream starts now.
         *     - Every 15 seconds a comment names the last number, so a quiet account differs from a broken connection.
         *     - Before the service ends a stream, it sends an event named `end` with the reason: `shutdown`, `key_revoked` or `slow_reader`. A stream that ends without it was cut. Connect again with your last number.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook endpoints of the account
         * @description Paper and live accounts have their own endpoints; the key's mode decides.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Add an endpoint that receives events
         * @description Sends every event from now on as a signed POST request (Standard Webhooks).
         *     - Before this response, the endpoint gets an `endpoint.test` message. If it acknowledges it with a status of 200 to 299, its `status` is `active`.
         *     - Otherwise it is `pending` and gets no events until it acknowledges a test.
         *     - The response has the signing secret, which no other response repeats.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one endpoint and its state
         * @description Its address, types and status, and since when it fails.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete an endpoint and end its deliveries
         * @description Deletes the endpoint with its secret and its deliveries.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint's address, types, order or status
         * @description Fields that are left out stay as they are. A new url, and a status of active, send a test message: the endpoint is pending until it acknowledges one. It then gets every event since it last did.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the signing secret
         * @description Returns a new secret. For 24 hours messages carry two signatures, of the new and of the former secret.
         */
        post: operations["rotateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a signed test message now
         * @description Sends one endpoint.test message and returns what came back. A pending endpoint that acknowledges it becomes active.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries to an endpoint, newest first
         * @description Every event on its way to the endpoint, with its attempts and their responses.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one event again
         * @description Sends the event again, with the same webhook-id and a fresh schedule of attempts. An ordered endpoint gets it before later events.
         */
        post: operations["resendDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send all events after a number again
         * @description Sends the events after a number again, in order and as new messages. Without after: from the start of the current epoch.
         */
        post: operations["replayEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List fills, newest first
         * @description Each fill has its price, its fee, and whether it took or made liquidity.
         */
        get: operations["listFills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List ledger lines with the running balance, newest first
         * @description Every line of the account's cash: deposits, trades, fees, payouts.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the service is available
         * @description Open to all. 502 when the service cannot do its work.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this reference as an OpenAPI document
         * @description Open to all, without the envelope, so that tools can read it. This reference is made from it.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/asyncapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the messages of the event stream and of webhooks
         * @description Open to all, without the envelope, so that tools can read it. AsyncAPI 3.0, from the schemas of GET /v1/events.
         */
        get: operations["getAsyncApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Balance: {
            /** @description The account's owner. */
            userId: string;
            /** @description The wallet that signs the orders. */
            address: string;
            /** @description The wallet that holds the money. */
            funderAddress: string;
            /** @description The balance in millionths of a USDC, as text. */
            balanceBaseUnit: string;
            /** @description How much the exchanges can spend, the smallest of their allowances, in millionths of a USDC; null while unknown. */
            allowanceBaseUnit: string | null;
            /** @description Cash owned, including what open buy orders reserve. */
            balanceUsdc: Decimal;
            /** @description The session key that signs the orders of a live wallet; missing if its owner's key does. */
            sessionKey?: components["schemas"]["SessionKey"];
        };
        SessionKey: {
            /** @description What it may do at the venue. */
            scopes: ("CLOB" | "COMBOSRFQ" | "ALL")[];
            /**
             * Format: date-time
             * @description When it expires. Orders are refused from then on.
             */
            expiresAt: string;
        };
        Portfolio: {
            /** @description Cash owned, including what open buy orders reserve. */
            balanceUsdc: Decimal;
            /** @description The balance plus the value of all positions, in USDC. */
            portfolioValue: Decimal;
            /** @description Profit or loss in USDC, after fees: realizedPnl + unrealizedPnl - fees. */
            totalPnl: Decimal;
            /** @description Profit or loss of sold and claimed shares in USDC, at average cost, before fees; null in live mode, where the venue reports only the total. */
            realizedPnl: Decimal | null;
            /** @description The pnl of all positions in USDC, before fees. */
            unrealizedPnl: Decimal;
            /** @description Fees paid so far in USDC; null in live mode. */
            fees: Decimal | null;
            /** @description Every outcome that the account holds. */
            positions: components["schemas"]["Position"][];
        };
        Position: {
            /** @description The token id of the outcome. */
            id: string;
            /** @description The market's id. */
            conditionId: string;
            /** @description The market's question. */
            marketTitle: string;
            /** @description The market's name in addresses. */
            marketSlug: string | null;
            /** @description The market's icon. */
            iconUrl: string | null;
            /** @description The outcome's name, such as Yes. */
            outcome: string;
            /** @description Shares held. */
            shares: Decimal;
            /** @description Average entry price in USDC, without fees. */
            avgPrice: Decimal;
            /** @description The midpoint; the last trade where the spread exceeds 0.10; 1 or 0 once resolved. */
            currentPrice: Decimal;
            /** @description Shares at the current price, in USDC. */
            value: Decimal;
            /** @description Value minus cost, in USDC, before fees. */
            pnl: Decimal;
            /** @description Profit or loss in percent of cost: 12.5 is 12.5 %. */
            pnlPercent: Decimal;
            /** @description True where the event's outcomes exclude each other. */
            negativeRisk: boolean;
            /** @description True from the market's resolution until the position is claimed. */
            redeemable: boolean;
        };
        ClaimResult: {
            /** @description The token id of the claimed outcome. */
            positionId: string;
            /** @description Shares that were claimed. */
            shares: Decimal;
            /** @description What the shares paid, in USDC. */
            payoutUsdc: Decimal;
            /**
             * @description waiting: recorded, and nothing was accepted yet. submitted: accepted, not final yet. unknown: whether it was accepted is not known. confirmed: final. failed: it did not happen.
             * @enum {string}
             */
            status: "waiting" | "submitted" | "unknown" | "confirmed" | "failed";
            /** @description The wallet transaction of a live claim, which redeems the whole market; null on paper. */
            transactionId: string | null;
        };
        SplitOrMergeBody: {
            /** @description The market's condition id or slug. */
            marketId: string;
            /** @description How many shares of each outcome. A split costs as many USDC, and a merge pays as many. */
            shares: Decimal;
            /** @description Repeat a request with the same key to get the same transaction. Without a key, a repeated request is another split or merge. */
            idempotencyKey?: string;
        };
        WalletTransaction: {
            /** @description The transaction's id. */
            id: string;
            /**
             * @description What it does.
             * @enum {string}
             */
            kind: "redeem" | "split" | "merge" | "approve";
            /**
             * @description waiting: recorded, and nothing was accepted yet. submitted: accepted, not final yet. unknown: whether it was accepted is not known. confirmed: final. failed: it did not happen.
             * @enum {string}
             */
            status: "waiting" | "submitted" | "unknown" | "confirmed" | "failed";
            /** @description The market's id; null for approvals. */
            marketId: string | null;
            /** @description Shares of each outcome that a split makes or a merge takes; null otherwise. */
            shares: Decimal | null;
            /** @description Why it waits or failed, for users; null otherwise. */
            reason: string | null;
            /** @description The transaction on the chain; null until it is known, and on paper. */
            transactionHash: string | null;
            /** @description The positions that a claim redeems, as read when it was signed. */
            redemptions: components["schemas"]["Redemption"][];
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
        };
        Redemption: {
            /** @description The token id of the claimed outcome. */
            positionId: string;
            /** @description Shares that were claimed. */
            shares: Decimal;
            /** @description What the shares paid, in USDC. */
            payoutUsdc: Decimal;
        };
        WalletApprovals: {
            /** @description The wallet that holds the money. */
            address: string;
            /** @description Whether no approval is missing. */
            isComplete: boolean;
            /** @description Every approval that trading needs. */
            approvals: components["schemas"]["WalletApproval"][];
            /** @description The transaction that sets the missing ones; null if none is in progress. */
            transaction: components["schemas"]["WalletTransaction"] | null;
        };
        WalletApproval: {
            /**
             * @description What the contract may move.
             * @enum {string}
             */
            asset: "usdc" | "shares_v1" | "shares_v2";
            /** @description The contract's name, which stays the same. */
            spender: string;
            /** @description The contract's address. */
            spenderAddress: string;
            /** @description What it is for. */
            purpose: string;
            /** @description Whether the wallet has approved it. */
            isSet: boolean;
            /** @description How much it may move, in millionths, as text; null for shares, which have no amount. */
            allowanceBaseUnit: string | null;
        };
        WalletTransactionList: {
            /** @description Newest first. */
            transactions: components["schemas"]["WalletTransaction"][];
        };
        KeyWithLimits: {
            /** @description The public part of the key. */
            id: string;
            /** @description The key's owner. */
            userId: string;
            /** @description The name its owner gave it. */
            name: string;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /** @description What the key may do. */
            scopes: ("read" | "trade" | "cancel" | "webhooks")[];
            /**
             * Format: date-time
             * @description When the key was made.
             */
            createdAt: string;
            /** @description When the key ends, or null. */
            expiresAt: string | null;
            /** @description When the key was last used, or null. */
            lastUsedAt: string | null;
            /** @description The limits that apply to the key, by name. */
            limits: components["schemas"]["LimitStates"];
            /** @description Who froze it, when and why, or null. */
            frozen: components["schemas"]["Freeze"] | null;
        };
        AmountState: {
            /** @description The limit in USDC, as decimal text. */
            limit: string;
            /** @description What counts against it, in USDC. */
            used: string;
            /** @description What open buys can still use, in USDC. */
            reserved: string;
            /** @description What a new order can use, in USDC. */
            remaining: string;
            /** @description When something comes back by the clock, or null. */
            resetsAt: string | null;
            /**
             * @description Whose limit it is: of this key, of its account, or set by the operator on the user.
             * @enum {string}
             */
            scope: "key" | "account" | "user";
        };
        CountState: {
            /** @description The limit. */
            limit: number;
            /** @description What counts against it. */
            used: number;
            /** @description Always 0. */
            reserved: number;
            /** @description How many orders more. */
            remaining: number;
            /** @description When something comes back by the clock, or null. */
            resetsAt: string | null;
            /**
             * @description Whose limit it is: of this key, of its account, or set by the operator on the user.
             * @enum {string}
             */
            scope: "key" | "account" | "user";
        };
        LimitStates: {
            /** @description What one buy can cost. */
            perOrder?: components["schemas"]["AmountState"];
            /** @description What buys can cost in any 24 hours. */
            perDay?: components["schemas"]["AmountState"];
            /** @description What buys can cost altogether. */
            total?: components["schemas"]["AmountState"];
            /** @description What can be at risk at the same time. */
            openExposure?: components["schemas"]["AmountState"];
            /** @description In the market with the least left. */
            perMarket?: components["schemas"]["AmountState"];
            /** @description What may be lost in any 24 hours. */
            dailyLoss?: components["schemas"]["AmountState"];
            /** @description How many orders can be open. */
            maxOpenOrders?: components["schemas"]["CountState"];
            /** @description How many orders can be placed in any 60 seconds. */
            ordersPerMinute?: components["schemas"]["CountState"];
            /** @description How far a price may be from the middle of the book. */
            maxDistanceFromMid?: {
                /** @description In USDC per share. */
                limit: string;
                /**
                 * @description Whose limit it is: of this key, of its account, or set by the operator on the user.
                 * @enum {string}
                 */
                scope: "key" | "account" | "user";
            };
            /** @description Above it, a buy waits for the owner's approval. */
            approvalAbove?: {
                /** @description In USDC. */
                limit: string;
                /**
                 * @description Whose limit it is: of this key, of its account, or set by the operator on the user.
                 * @enum {string}
                 */
                scope: "key" | "account" | "user";
            };
            /** @description Where it may trade. */
            markets?: {
                /** @description What is allowed. */
                limit: string[];
                /**
                 * @description Whose limit it is: of this key, of its account, or set by the operator on the user.
                 * @enum {string}
                 */
                scope: "key" | "account" | "user";
            };
            /** @description What it may do. */
            actions?: {
                /** @description What is allowed. */
                limit: string[];
                /**
                 * @description Whose limit it is: of this key, of its account, or set by the operator on the user.
                 * @enum {string}
                 */
                scope: "key" | "account" | "user";
            };
            /** @description Where requests may come from. */
            ipAllow?: {
                /** @description What is allowed. */
                limit: string[];
                /**
                 * @description Whose limit it is: of this key, of its account, or set by the operator on the user.
                 * @enum {string}
                 */
                scope: "key" | "account" | "user";
            };
        };
        Freeze: {
            /**
             * @description Whose limit it is: of this key, of its account, or set by the operator on the user.
             * @enum {string}
             */
            scope: "key" | "account" | "user";
            /**
             * Format: date-time
             * @description When it was frozen.
             */
            at: string;
            /** @description Why, as a sentence. */
            reason: string;
        };
        LowerLimits: {
            /** @description The limits to lower, by name. */
            limits: components["schemas"]["Limits"];
        };
        Limits: {
            /** @description The most that one buy can cost with its fee, in USDC. */
            perOrder?: string;
            /** @description Buys with fees in any 24 hours, plus what open buys reserve, in USDC. */
            perDay?: string;
            /** @description Buys with fees so far, plus what open buys reserve, in USDC. */
            total?: string;
            /** @description Cost of the shares still held, plus what open buys reserve, in USDC. */
            openExposure?: string;
            /** @description openExposure within each market, in USDC. */
            perMarket?: string;
            /** @description What sales and resolved markets may lose in any 24 hours, less gains, in USDC. Once it is reached, trading freezes. */
            dailyLoss?: string;
            /** @description Orders that are open at the same time. */
            maxOpenOrders?: number;
            /** @description Accepted orders in any 60 seconds. */
            ordersPerMinute?: number;
            /** @description How far a price may be from the middle of the book, in USDC per share. */
            maxDistanceFromMid?: string;
            /** @description A buy with an API key that can cost more than this, in USDC, waits for the owner's approval. */
            approvalAbove?: string;
            /** @description Where it may trade: market: with a condition id or slug, event: with a slug, category: with a name. */
            markets?: string[];
            /** @description What it may do. */
            actions?: ("BUY" | "SELL" | "CANCEL" | "REDEEM")[];
            /** @description Addresses and CIDR ranges that requests may come from. */
            ipAllow?: (string)[];
        };
        FrozenKey: {
            /** @description The key that is frozen. */
            keyId: string;
            /**
             * Format: date-time
             * @description Since when.
             */
            frozenAt: string;
        };
        PlaceOrder: {
            /** @description The outcome to trade: an outcomes[].tokenId of a market. */
            tokenId: string;
            /**
             * @description Buy or sell shares of the outcome.
             * @enum {string}
             */
            action: "BUY" | "SELL";
            /**
             * @description A market order fills now, by default as far as possible; a limit order can stay open.
             * @enum {string}
             */
            orderType: "market" | "limit";
            /** @description USDC to spend: market BUY, or limit BUY instead of shares. */
            amount?: Decimal;
            /** @description Shares to trade, 2 decimals. */
            shares?: Decimal;
            /** @description Limit price, or the worst acceptable price of a market order. */
            price?: Decimal;
            /** @description The market's tick as the caller knows it; the order is rejected if it differs. */
            tickSize?: string;
            /** @description Identifies the order: it is placed at most once, however often the same key is sent. */
            idempotencyKey?: string;
            /**
             * @description GTC (default of a limit order): open until canceled. GTD: open until expiresAt. FAK (default of a market order): fill what is possible at once and cancel the rest. FOK: fill in full at once or not at all. A market order is FAK or FOK
             * @enum {string}
             */
            timeInForce?: "GTC" | "GTD" | "FOK" | "FAK";
            /**
             * Format: date-time
             * @description When a GTD order expires; required with GTD and rejected otherwise.
             */
            expiresAt?: string;
            /** @description True: the order is rejected instead of filling at once; for GTC and GTD. */
            postOnly?: boolean;
        };
        Acknowledgement: {
            /** @description The key that was sent, or the one that the service created. */
            idempotencyKey: string;
            /** @description What happened, as a sentence for users. */
            message: string;
            /** @description The order's id. */
            orderId: string;
            /**
             * @description The order's state at the time of the response.
             * @enum {string}
             */
            status: "pending" | "pending_approval" | "submitting" | "delayed" | "open" | "filled" | "canceled" | "expired" | "rejected" | "unknown" | "abandoned";
            /** @description With status pending_approval: the page where the owner approves or declines the order within 15 minutes. */
            approvalUrl?: string;
        };
        OrderPreview: {
            /** @description Why the order would be rejected, or null. */
            refusal: {
                /** @description The error code that placing would return. */
                code: string;
                /** @description The reason, as a sentence for users. */
                message: string;
            } | null;
            /** @description Average price of what would fill now, or null. */
            avgPrice: Decimal | null;
            /** @description Worst price that would fill. */
            worstPrice: Decimal | null;
            /** @description Worst price that can fill. */
            limitPrice: Decimal | null;
            /** @description Shares that would fill now. */
            shares: Decimal;
            /** @description Shares that would stay open. */
            restingShares: Decimal;
            /** @description Paid or received for the fills, without the fee. */
            amount: Decimal;
            /** @description Taker fee in USDC of what would fill now. */
            fee: Decimal;
            /** @description The part of the fee that the operator of this service gets; missing if there is none. */
            builderFee?: Decimal;
            /** @description BUY: amount and fee; SELL: amount less fee. */
            cost: Decimal;
            /** @description True if the order would wait for the owner's approval (limit approvalAbove). */
            needsApproval: boolean;
            /** @description USDC that must be available: the whole order at its limit and the highest fee of what fills at once (live: of the whole order) */
            holdUsdc: Decimal;
            /** @description Shares that must be available. */
            holdShares: Decimal;
            /** @description USDC that no order reserves. */
            availableUsdc: Decimal;
            /** @description Shares of this outcome that no order reserves. */
            availableShares: Decimal;
            /**
             * @description How long the order can fill: GTC, GTD, FAK or FOK.
             * @enum {string}
             */
            timeInForce: "GTC" | "GTD" | "FOK" | "FAK";
            /** @description When a GTD order expires, or null. */
            expiresAt: string | null;
            /** @description True for an order that never fills as a taker. */
            postOnly: boolean;
        };
        OpenOrders: {
            /** @description Open orders, newest first. */
            orders: components["schemas"]["OpenOrder"][];
            /** @description Pass it as nextCursor for the next page; null on the last page. */
            nextCursor: string | null;
        };
        OpenOrder: {
            /** @description The order's id. */
            id: string;
            /** @description The market's condition id. */
            marketId: string;
            /** @description The outcome's token id. */
            assetId: string;
            /** @description The market's question, or null. */
            marketTitle: string | null;
            /** @description The market's name in addresses, or null. */
            marketSlug: string | null;
            /** @description The market's page in the dashboard, or null. */
            marketRoute: string | null;
            /** @description The market's icon, or null. */
            iconUrl: string | null;
            /**
             * @description Buy or sell.
             * @enum {string}
             */
            action: "BUY" | "SELL";
            /**
             * @description YES for the market's first outcome, NO for its second.
             * @enum {string}
             */
            side: "YES" | "NO";
            /**
             * @description Limit or market.
             * @enum {string}
             */
            type: "limit" | "market";
            /** @description The limit price in USDC, or null. */
            price: Decimal | null;
            /** @description Size of the order; for an amount, 0 until it fills. */
            shares: Decimal;
            /**
             * Format: date-time
             * @description When the order was received.
             */
            createdAt: string;
            /**
             * @description Always open.
             * @constant
             */
            status: "open";
        };
        OrderList: {
            /** @description Orders, newest first. */
            orders: components["schemas"]["OrderSummary"][];
            /** @description Pass it as nextCursor for the next page; null on the last page. */
            nextCursor: string | null;
        };
        OrderSummary: {
            /** @description The order's owner. */
            userId: string;
            /** @description The wallet that signs the orders. */
            address: string;
            /** @description The wallet that holds the money. */
            funder_address: string;
            /** @description The order's id. */
            id: string;
            /**
             * @description The order's state.
             * @enum {string}
             */
            status: "pending" | "pending_approval" | "submitting" | "delayed" | "open" | "filled" | "canceled" | "expired" | "rejected" | "unknown" | "abandoned";
            /**
             * @description Buy or sell.
             * @enum {string}
             */
            action: "BUY" | "SELL";
            /**
             * @description YES for the market's first outcome, NO for its second.
             * @enum {string}
             */
            side: "YES" | "NO";
            /**
             * @description Limit or market.
             * @enum {string}
             */
            type: "limit" | "market";
            /** @description The outcome's token id. */
            tokenId: string;
            /** @description The market's condition id. */
            marketId: string;
            /** @description The limit, or the worst acceptable price, in USDC; null when none was given. */
            price: Decimal | null;
            /** @description Shares that were ordered; null for an order by amount. */
            shares: Decimal | null;
            /** @description USDC to spend; null for an order by shares. */
            amount: Decimal | null;
            /**
             * @description How long the order can fill: GTC, GTD, FAK or FOK.
             * @enum {string}
             */
            timeInForce: "GTC" | "GTD" | "FOK" | "FAK";
            /** @description When a GTD order expires. */
            expiresAt: string | null;
            /** @description True for an order that never fills as a taker. */
            postOnly: boolean;
            /** @description Shares that have filled. */
            filledShares: Decimal;
            /** @description Shares that can still fill; null for an order by amount. */
            remainingShares: Decimal | null;
            /** @description Average price of the fills, without fees; null before the first. */
            avgFillPrice: Decimal | null;
            /** @description Fees of all fills, in USDC. */
            fee: Decimal;
            /**
             * @description `external`: placed elsewhere with the same wallet, and adopted here.
             * @enum {string}
             */
            origin: "ante" | "external";
            /** @description The order's idempotency key. */
            idempotencyKey: string | null;
            /**
             * Format: date-time
             * @description When the order was received.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the order last changed.
             */
            updatedAt: string;
        };
        OrderRecord: {
            /** @description The order's owner. */
            userId: string;
            /** @description The wallet that signs the orders. */
            address: string;
            /** @description The wallet that holds the money. */
            funder_address: string;
            /** @description The order's id. */
            id: string;
            /**
             * @description The order's state.
             * @enum {string}
             */
            status: "pending" | "pending_approval" | "submitting" | "delayed" | "open" | "filled" | "canceled" | "expired" | "rejected" | "unknown" | "abandoned";
            /**
             * @description Buy or sell.
             * @enum {string}
             */
            action: "BUY" | "SELL";
            /**
             * @description YES for the market's first outcome, NO for its second.
             * @enum {string}
             */
            side: "YES" | "NO";
            /**
             * @description Limit or market.
             * @enum {string}
             */
            type: "limit" | "market";
            /** @description The outcome's token id. */
            tokenId: string;
            /** @description The market's condition id. */
            marketId: string;
            /** @description The limit, or the worst acceptable price, in USDC; null when none was given. */
            price: Decimal | null;
            /** @description Shares that were ordered; null for an order by amount. */
            shares: Decimal | null;
            /** @description USDC to spend; null for an order by shares. */
            amount: Decimal | null;
            /**
             * @description How long the order can fill: GTC, GTD, FAK or FOK.
             * @enum {string}
             */
            timeInForce: "GTC" | "GTD" | "FOK" | "FAK";
            /** @description When a GTD order expires. */
            expiresAt: string | null;
            /** @description True for an order that never fills as a taker. */
            postOnly: boolean;
            /** @description Shares that have filled. */
            filledShares: Decimal;
            /** @description Shares that can still fill; null for an order by amount. */
            remainingShares: Decimal | null;
            /** @description Average price of the fills, without fees; null before the first. */
            avgFillPrice: Decimal | null;
            /** @description Fees of all fills, in USDC. */
            fee: Decimal;
            /**
             * @description `external`: placed elsewhere with the same wallet, and adopted here.
             * @enum {string}
             */
            origin: "ante" | "external";
            /** @description The order's idempotency key. */
            idempotencyKey: string | null;
            /**
             * Format: date-time
             * @description When the order was received.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the order last changed.
             */
            updatedAt: string;
            /** @description The order's fills, oldest first. */
            fills: {
                /** @description The fill's id. */
                id: string;
                /** @description The trade that it is part of. */
                tradeId: string;
                /**
                 * @description A taker fills at once, a maker was waiting on the book.
                 * @enum {string}
                 */
                role: "maker" | "taker";
                /** @description Price in USDC per share. */
                price: Decimal;
                /** @description Shares that traded. */
                shares: Decimal;
                /** @description Price times shares, without the fee. */
                amount: Decimal;
                /** @description The fee in USDC. */
                fee: Decimal;
                /**
                 * Format: date-time
                 * @description When it traded.
                 */
                createdAt: string;
            }[];
            /** @description The order's history, oldest first. */
            events: {
                /**
                 * @description What happened to the order.
                 * @enum {string}
                 */
                type: "received" | "approval_requested" | "approved" | "delayed" | "opened" | "matched" | "filled" | "canceled" | "expired" | "rejected" | "submitted" | "unknown" | "cancel_requested" | "abandoned" | "reversed";
                /** @description The API key that caused it, or null. */
                keyId: string | null;
                /** @description Facts about the event, by name. */
                detail: {
                    [key: string]: string;
                };
                /**
                 * Format: date-time
                 * @description When it happened.
                 */
                createdAt: string;
            }[];
        };
        CancelOutcomes: {
            /** @description Ids of the orders that are canceled. */
            canceled: string[];
            /** @description Orders that are not canceled. */
            notCanceled: {
                /** @description The order's id. */
                id: string;
                /**
                 * @description The order's actual state. A live order that is still open is being canceled.
                 * @enum {string}
                 */
                status: "pending" | "pending_approval" | "submitting" | "delayed" | "open" | "filled" | "canceled" | "expired" | "rejected" | "unknown" | "abandoned";
            }[];
        };
        MarketList: {
            /** @description Markets in the order that was asked for. */
            markets: components["schemas"]["Market"][];
            /** @description Pass it as nextCursor for the next page; null on the last page. */
            nextCursor: string | null;
        };
        Market: {
            /** @description The market's condition id. */
            id: string;
            /** @description The market's name in addresses. */
            slug: string;
            /** @description The market's question. */
            title: string;
            /** @description The event that the market belongs to. */
            eventSlug: string;
            /** @description The event's title. */
            eventTitle: string;
            /** @description The event's category. */
            category: string;
            /** @description The market's icon, or null. */
            iconUrl: string | null;
            /**
             * @description Only open markets take orders.
             * @enum {string}
             */
            status: "open" | "closed" | "resolved";
            /** @description Why the market can't be traded with Ante, even if Polymarket trades it; null if it can. Such a market is never open. */
            untradableReason: string | null;
            /** @description The token that won, once resolved; otherwise null. */
            winningTokenId: string | null;
            /** @description The two outcomes: first YES, then NO. */
            outcomes: {
                /** @description The outcome's name, such as Yes. */
                name: string;
                /** @description The id to trade it by. */
                tokenId: string;
                /**
                 * @description YES for the market's first outcome, NO for its second.
                 * @enum {string}
                 */
                side: "YES" | "NO";
                /** @description The midpoint; the last trade where the spread exceeds 0.10; 1 or 0 once resolved. */
                price: Decimal;
                /** @description The highest bid, or null. */
                bestBid: Decimal | null;
                /** @description The lowest ask, or null. */
                bestAsk: Decimal | null;
            }[];
            /** @description Prices are multiples of it. */
            tickSize: string;
            /** @description The smallest limit order, in shares. */
            minOrderShares: Decimal;
            /** @description The smallest market buy, in USDC. */
            minMarketBuy: Decimal;
            /** @description Taker fee = shares * feeRate * price * (1 - price). */
            feeRate: Decimal;
            /** @description True where the event's outcomes exclude each other. */
            negativeRisk: boolean;
            /**
             * Format: date-time
             * @description When trading began.
             */
            opensAt: string;
            /**
             * Format: date-time
             * @description When trading ends.
             */
            closesAt: string;
        };
        MarketDetail: {
            /** @description The market's condition id. */
            id: string;
            /** @description The market's name in addresses. */
            slug: string;
            /** @description The market's question. */
            title: string;
            /** @description The event that the market belongs to. */
            eventSlug: string;
            /** @description The event's title. */
            eventTitle: string;
            /** @description The event's category. */
            category: string;
            /** @description The market's icon, or null. */
            iconUrl: string | null;
            /**
             * @description Only open markets take orders.
             * @enum {string}
             */
            status: "open" | "closed" | "resolved";
            /** @description Why the market can't be traded with Ante, even if Polymarket trades it; null if it can. Such a market is never open. */
            untradableReason: string | null;
            /** @description The token that won, once resolved; otherwise null. */
            winningTokenId: string | null;
            /** @description The two outcomes: first YES, then NO. */
            outcomes: {
                /** @description The outcome's name, such as Yes. */
                name: string;
                /** @description The id to trade it by. */
                tokenId: string;
                /**
                 * @description YES for the market's first outcome, NO for its second.
                 * @enum {string}
                 */
                side: "YES" | "NO";
                /** @description The midpoint; the last trade where the spread exceeds 0.10; 1 or 0 once resolved. */
                price: Decimal;
                /** @description The highest bid, or null. */
                bestBid: Decimal | null;
                /** @description The lowest ask, or null. */
                bestAsk: Decimal | null;
            }[];
            /** @description Prices are multiples of it. */
            tickSize: string;
            /** @description The smallest limit order, in shares. */
            minOrderShares: Decimal;
            /** @description The smallest market buy, in USDC. */
            minMarketBuy: Decimal;
            /** @description Taker fee = shares * feeRate * price * (1 - price). */
            feeRate: Decimal;
            /** @description True where the event's outcomes exclude each other. */
            negativeRisk: boolean;
            /**
             * Format: date-time
             * @description When trading began.
             */
            opensAt: string;
            /**
             * Format: date-time
             * @description When trading ends.
             */
            closesAt: string;
            /** @description How the result is decided. */
            rules: string;
            /** @description Where the result comes from. */
            resolutionSource: string;
            /**
             * Format: date-time
             * @description When the result is expected.
             */
            resolvesAt: string;
        };
        OrderBook: {
            /** @description The market's condition id. */
            marketId: string;
            /** @description The outcome whose book it is. */
            tokenId: string;
            /** @description Buy orders by price, best first. */
            bids: {
                /** @description Price in USDC per share. */
                price: Decimal;
                /** @description Shares on offer at this price. */
                shares: Decimal;
            }[];
            /** @description Sell orders by price, best first. */
            asks: {
                /** @description Price in USDC per share. */
                price: Decimal;
                /** @description Shares on offer at this price. */
                shares: Decimal;
            }[];
            /** @description Prices are multiples of it. */
            tickSize: string;
            /**
             * Format: date-time
             * @description The time of the snapshot.
             */
            at: string;
        };
        PriceHistory: {
            /** @description The market's condition id. */
            marketId: string;
            /** @description The outcome whose prices they are. */
            tokenId: string;
            /** @description Prices, oldest first. */
            points: {
                /**
                 * Format: date-time
                 * @description The time of the price.
                 */
                at: string;
                /** @description Price in USDC per share. */
                price: Decimal;
            }[];
        };
        EventList: {
            /** @description Events after the given number, oldest first. */
            events: components["schemas"]["AccountEvent"][];
            /** @description The number of the account's last event, its head. */
            lastSeq: number;
        };
        AccountEvent: components["schemas"]["OrderChanged"] | components["schemas"]["FillChanged"] | components["schemas"]["PositionChanged"] | components["schemas"]["PositionRedeemed"] | components["schemas"]["TransactionChanged"] | components["schemas"]["BalanceChanged"] | components["schemas"]["DepositCreated"] | components["schemas"]["AccountReset"] | components["schemas"]["AccountSnapshot"] | components["schemas"]["KeyChanged"] | components["schemas"]["LimitsChanged"] | components["schemas"]["TradingFrozen"] | components["schemas"]["TradingThawed"] | components["schemas"]["WalletChanged"] | components["schemas"]["WalletKeyEnds"] | components["schemas"]["MarketResolved"] | components["schemas"]["VenueChanged"] | components["schemas"]["WebhookDisabled"];
        OrderChanged: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "order.received" | "order.approval_requested" | "order.approved" | "order.delayed" | "order.opened" | "order.partially_filled" | "order.filled" | "order.cancel_requested" | "order.canceled" | "order.expired" | "order.rejected" | "order.unknown" | "order.updated" | "order.abandoned";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /** @description The order after the event. */
                order: components["schemas"]["OrderSummary"];
                /** @description Facts about the event, by name. */
                detail: {
                    [key: string]: string;
                };
            };
        };
        FillChanged: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "fill.created" | "fill.reversed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /** @description The fill. A reversed one failed to settle on chain and counts no more. */
                fill: components["schemas"]["Fill"];
            };
        };
        Fill: {
            /** @description The fill's id. */
            id: string;
            /** @description The trade that it is part of. */
            tradeId: string;
            /** @description The order that filled. */
            orderId: string;
            /** @description The market's condition id. */
            marketId: string;
            /** @description The outcome's token id. */
            tokenId: string;
            /**
             * @description Bought or sold.
             * @enum {string}
             */
            action: "BUY" | "SELL";
            /**
             * @description A taker fills at once, a maker was waiting on the book.
             * @enum {string}
             */
            role: "maker" | "taker";
            /** @description Price in USDC per share. */
            price: Decimal;
            /** @description Shares that traded. */
            shares: Decimal;
            /** @description Price times shares in USDC, without the fee. */
            amount: Decimal;
            /** @description The fee in USDC. */
            fee: Decimal;
            /**
             * Format: date-time
             * @description When it traded.
             */
            createdAt: string;
        };
        PositionChanged: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "position.changed" | "position.redeemable";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /** @description The position after the event. */
                position: components["schemas"]["EventPosition"];
            };
        };
        EventPosition: {
            /** @description The token id of the outcome. */
            id: string;
            /** @description The market's id. */
            conditionId: string;
            /** @description The market's question. */
            marketTitle: string;
            /** @description The market's name in addresses. */
            marketSlug: string | null;
            /** @description The market's icon. */
            iconUrl: string | null;
            /** @description The outcome's name, such as Yes. */
            outcome: string;
            /** @description Shares held. */
            shares: Decimal;
            /** @description True where the event's outcomes exclude each other. */
            negativeRisk: boolean;
            /** @description Average entry price in USDC, without fees; null without shares. */
            avgPrice: Decimal | null;
            /** @description What the shares cost, in USDC, without fees. */
            costUsdc: Decimal;
            /** @description Profit or loss of sold and claimed shares, before fees. */
            realizedPnl: Decimal;
        };
        PositionRedeemed: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @constant
             */
            type: "position.redeemed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /** @description What was claimed. */
                redemption: components["schemas"]["Redemption"];
            };
        };
        TransactionChanged: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "transaction.waiting" | "transaction.submitted" | "transaction.unknown" | "transaction.confirmed" | "transaction.failed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /** @description The wallet transaction after the event. */
                transaction: components["schemas"]["EventTransaction"];
            };
        };
        EventTransaction: {
            /** @description The transaction's id. */
            id: string;
            /**
             * @description What it does.
             * @enum {string}
             */
            kind: "redeem" | "split" | "merge" | "approve";
            /**
             * @description waiting: recorded, and nothing was accepted yet. submitted: accepted, not final yet. unknown: whether it was accepted is not known. confirmed: final. failed: it did not happen.
             * @enum {string}
             */
            status: "waiting" | "submitted" | "unknown" | "confirmed" | "failed";
            /** @description The market's id; null for approvals. */
            marketId: string | null;
            /** @description Shares of each outcome that a split makes or a merge takes; null otherwise. */
            shares: Decimal | null;
            /** @description Why it waits or failed, for users; null otherwise. */
            reason: string | null;
            /** @description The transaction on the chain; null until it is known, and on paper. */
            transactionHash: string | null;
        };
        BalanceChanged: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @constant
             */
            type: "balance.changed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /** @description The cash after the event. */
                balance: components["schemas"]["EventBalance"];
            };
        };
        EventBalance: {
            /** @description The account's owner. */
            userId: string;
            /** @description The wallet that signs the orders. */
            address: string;
            /** @description The wallet that holds the money. */
            funderAddress: string;
            /** @description Cash owned, including what open buy orders reserve; null in live mode. */
            balanceUsdc: Decimal | null;
            /** @description Cash that no order reserves; null in live mode. */
            availableUsdc: Decimal | null;
            /** @description Cash that open buy orders reserve. */
            reservedUsdc: Decimal;
        };
        DepositCreated: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @constant
             */
            type: "deposit.created";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /** @description The deposit. */
                deposit: {
                    /** @description The deposit's id. */
                    id: string;
                    /** @description What was added, in USDC. */
                    amountUsdc: Decimal;
                };
            };
        };
        AccountReset: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @constant
             */
            type: "account.reset";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /** @description The epoch that begins with the next event. */
                nextEpoch: number;
            };
        };
        AccountSnapshot: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @constant
             */
            type: "account.snapshot";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /** @description The cash at this moment. */
                balance: components["schemas"]["EventBalance"];
                /** @description All positions at this moment. */
                positions: components["schemas"]["EventPosition"][];
                /** @description All orders that can still trade at this moment. */
                openOrders: components["schemas"]["OrderSummary"][];
            };
        };
        KeyChanged: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "key.created" | "key.rotated" | "key.revoked";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /** @description The key, without its secret. */
                key: {
                    /** @description The public part of the key. */
                    id: string;
                    /** @description The key's owner. */
                    userId: string;
                    /** @description The name its owner gave it. */
                    name: string;
                    /**
                     * @description Paper money or live trading.
                     * @enum {string}
                     */
                    mode: "paper" | "live";
                    /** @description What the key may do. */
                    scopes: ("read" | "trade" | "cancel" | "webhooks")[];
                    /**
                     * Format: date-time
                     * @description When the key was made.
                     */
                    createdAt: string;
                    /** @description When the key ends, or null. */
                    expiresAt: string | null;
                    /** @description When the key was last used, or null. */
                    lastUsedAt: string | null;
                    /** @description The key that replaces it, or null. */
                    replacedBy: string | null;
                };
            };
        };
        LimitsChanged: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @constant
             */
            type: "limits.changed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /**
                 * @description key: an API key. account: this account. user: all accounts of the user.
                 * @enum {string}
                 */
                scope: "key" | "account" | "user";
                /** @description The API key, or null. */
                keyId: string | null;
                /** @description The limits after the event. */
                limits: components["schemas"]["Limits"];
            };
        };
        TradingFrozen: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @constant
             */
            type: "trading.frozen";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /**
                 * @description key: an API key. account: this account. user: all accounts of the user.
                 * @enum {string}
                 */
                scope: "key" | "account" | "user";
                /** @description The API key, or null. */
                keyId: string | null;
                /** @description Why, as a sentence for users. */
                reason: string;
            };
        };
        TradingThawed: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @constant
             */
            type: "trading.thawed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /**
                 * @description key: an API key. account: this account. user: all accounts of the user.
                 * @enum {string}
                 */
                scope: "key" | "account" | "user";
                /** @description The API key, or null. */
                keyId: string | null;
            };
        };
        WalletChanged: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "wallet.added" | "wallet.removed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /** @description The live wallet. */
                wallet: components["schemas"]["EventWallet"];
            };
        };
        EventWallet: {
            /** @description The wallet that signs the orders. */
            address: string;
            /** @description The wallet that holds the money. */
            funderAddress: string;
        };
        WalletKeyEnds: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "wallet.key_expiring" | "wallet.key_expired";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /** @description The live wallet. */
                wallet: components["schemas"]["EventWallet"];
                /**
                 * Format: date-time
                 * @description When its session key expires.
                 */
                expiresAt: string;
            };
        };
        MarketResolved: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @constant
             */
            type: "market.resolved";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /** @description A market that the account holds. */
                market: components["schemas"]["EventMarket"];
            };
        };
        EventMarket: {
            /** @description The market's condition id. */
            id: string;
            /** @description The market's question. */
            title: string;
            /** @description The market's name in addresses. */
            slug: string;
            /** @description The winning outcome; null if both are paid alike. */
            winner: string | null;
            /** @description Its token id, or null. */
            winningTokenId: string | null;
        };
        VenueChanged: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "venue.degraded" | "venue.recovered";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: Record<string, never>;
        };
        WebhookDisabled: {
            /** @description Its number in the log of the account: 1, 2, 3 and so on, without gaps. */
            seq: number;
            /** @description The number of the event given before; without a filter it is seq - 1. */
            previousSeq: number;
            /** @description The epoch of a paper account, which a reset ends; 0 if live. */
            epoch: number;
            /**
             * @description Paper money or live trading.
             * @enum {string}
             */
            mode: "paper" | "live";
            /**
             * @description What happened.
             * @constant
             */
            type: "webhook.disabled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The request of the account that caused it, or null. */
            requestId: string | null;
            /** @description The API key of that request, or null. */
            keyId: string | null;
            /** @description What the event is about, after it. */
            data: {
                /** @description The endpoint's id. */
                webhookId: string;
                /** @description The endpoint's address. */
                url: string;
                /** @description Why it gets no more deliveries, as a sentence for users. */
                reason: string;
            };
        };
        WebhookList: {
            /** @description Endpoints, oldest first. */
            webhooks: components["schemas"]["Webhook"][];
        };
        Webhook: {
            /** @description The endpoint's id. */
            id: string;
            /**
             * @description The account whose events it gets.
             * @enum {string}
             */
            mode: "paper" | "live";
            /** @description Where events are sent. */
            url: string;
            /** @description The types of events that are sent; null for all. */
            types: ("account.snapshot" | "account.reset" | "order.received" | "order.approval_requested" | "order.approved" | "order.delayed" | "order.opened" | "order.partially_filled" | "order.filled" | "order.cancel_requested" | "order.canceled" | "order.expired" | "order.rejected" | "order.unknown" | "order.updated" | "order.abandoned" | "fill.created" | "fill.reversed" | "position.changed" | "position.redeemable" | "position.redeemed" | "balance.changed" | "deposit.created" | "key.created" | "key.rotated" | "key.revoked" | "limits.changed" | "trading.frozen" | "trading.thawed" | "wallet.added" | "wallet.removed" | "wallet.key_expiring" | "wallet.key_expired" | "transaction.waiting" | "transaction.submitted" | "transaction.unknown" | "transaction.confirmed" | "transaction.failed" | "market.resolved" | "venue.degraded" | "venue.recovered" | "webhook.disabled")[] | null;
            /** @description Whether events are sent one after the other. */
            ordered: boolean;
            /**
             * @description pending until it acknowledges a test message; disabled gets nothing.
             * @enum {string}
             */
            status: "pending" | "active" | "disabled";
            /** @description Why the service disabled it, as a sentence for users, or null. */
            disabledReason: string | null;
            /** @description The first failed attempt since the last success, or null. */
            failingSince: string | null;
            /** @description The number of the last event that was considered for it. */
            lastSeq: number;
            /** @description Until when the secret before a rotation signs too, or null. */
            previousSecretEndsAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        CreateWebhook: {
            /** @description Where events are sent: https, with a public address. */
            url: string;
            /** @description The types of events to send; null, or left out, for all. */
            types?: ("account.snapshot" | "account.reset" | "order.received" | "order.approval_requested" | "order.approved" | "order.delayed" | "order.opened" | "order.partially_filled" | "order.filled" | "order.cancel_requested" | "order.canceled" | "order.expired" | "order.rejected" | "order.unknown" | "order.updated" | "order.abandoned" | "fill.created" | "fill.reversed" | "position.changed" | "position.redeemable" | "position.redeemed" | "balance.changed" | "deposit.created" | "key.created" | "key.rotated" | "key.revoked" | "limits.changed" | "trading.frozen" | "trading.thawed" | "wallet.added" | "wallet.removed" | "wallet.key_expiring" | "wallet.key_expired" | "transaction.waiting" | "transaction.submitted" | "transaction.unknown" | "transaction.confirmed" | "transaction.failed" | "market.resolved" | "venue.degraded" | "venue.recovered" | "webhook.disabled")[] | null;
            /** @description True, the default: the next event is sent only after the one before was acknowledged. */
            ordered?: boolean;
        };
        WebhookWithSecret: {
            /** @description The endpoint's id. */
            id: string;
            /**
             * @description The account whose events it gets.
             * @enum {string}
             */
            mode: "paper" | "live";
            /** @description Where events are sent. */
            url: string;
            /** @description The types of events that are sent; null for all. */
            types: ("account.snapshot" | "account.reset" | "order.received" | "order.approval_requested" | "order.approved" | "order.delayed" | "order.opened" | "order.partially_filled" | "order.filled" | "order.cancel_requested" | "order.canceled" | "order.expired" | "order.rejected" | "order.unknown" | "order.updated" | "order.abandoned" | "fill.created" | "fill.reversed" | "position.changed" | "position.redeemable" | "position.redeemed" | "balance.changed" | "deposit.created" | "key.created" | "key.rotated" | "key.revoked" | "limits.changed" | "trading.frozen" | "trading.thawed" | "wallet.added" | "wallet.removed" | "wallet.key_expiring" | "wallet.key_expired" | "transaction.waiting" | "transaction.submitted" | "transaction.unknown" | "transaction.confirmed" | "transaction.failed" | "market.resolved" | "venue.degraded" | "venue.recovered" | "webhook.disabled")[] | null;
            /** @description Whether events are sent one after the other. */
            ordered: boolean;
            /**
             * @description pending until it acknowledges a test message; disabled gets nothing.
             * @enum {string}
             */
            status: "pending" | "active" | "disabled";
            /** @description Why the service disabled it, as a sentence for users, or null. */
            disabledReason: string | null;
            /** @description The first failed attempt since the last success, or null. */
            failingSince: string | null;
            /** @description The number of the last event that was considered for it. */
            lastSeq: number;
            /** @description Until when the secret before a rotation signs too, or null. */
            previousSecretEndsAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description The signing secret, whsec_ and base64. Only this response has it: store it now. */
            secret: string;
        };
        ChangeWebhook: {
            /** @description A new address. It gets a test message, and events once it acknowledges one. */
            url?: string;
            /** @description The types of events to send; null for all. */
            types?: ("account.snapshot" | "account.reset" | "order.received" | "order.approval_requested" | "order.approved" | "order.delayed" | "order.opened" | "order.partially_filled" | "order.filled" | "order.cancel_requested" | "order.canceled" | "order.expired" | "order.rejected" | "order.unknown" | "order.updated" | "order.abandoned" | "fill.created" | "fill.reversed" | "position.changed" | "position.redeemable" | "position.redeemed" | "balance.changed" | "deposit.created" | "key.created" | "key.rotated" | "key.revoked" | "limits.changed" | "trading.frozen" | "trading.thawed" | "wallet.added" | "wallet.removed" | "wallet.key_expiring" | "wallet.key_expired" | "transaction.waiting" | "transaction.submitted" | "transaction.unknown" | "transaction.confirmed" | "transaction.failed" | "market.resolved" | "venue.degraded" | "venue.recovered" | "webhook.disabled")[] | null;
            /** @description Whether events are sent one after the other. */
            ordered?: boolean;
            /**
             * @description disabled stops deliveries. active sends a test message, and resumes once it is acknowledged.
             * @enum {string}
             */
            status?: "active" | "disabled";
        };
        WebhookDeleted: {
            /** @description The endpoint that was deleted. */
            id: string;
        };
        WebhookTest: {
            /** @description The endpoint after the test. */
            webhook: components["schemas"]["Webhook"];
            /** @description Whether it responded with a status of 200 to 299. */
            acknowledged: boolean;
            /** @description The request and its response. */
            attempt: components["schemas"]["WebhookAttempt"];
        };
        WebhookAttempt: {
            /**
             * Format: date-time
             * @description When it was sent.
             */
            at: string;
            /** @description How long it took, in milliseconds. */
            durationMs: number;
            /** @description The status of the response, or null. */
            statusCode: number | null;
            /** @description Why there was no response, or null. */
            error: string | null;
            /** @description The start of the response's body, or null. */
            answer: string | null;
        };
        WebhookDeliveryList: {
            /** @description Deliveries, newest first. */
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description Pass it as nextCursor for the next page; null on the last page. */
            nextCursor: string | null;
        };
        WebhookDelivery: {
            /** @description The webhook-id header, the same in every attempt. */
            id: string;
            /** @description The number of the event. */
            seq: number;
            /** @description The number of the event that the endpoint was given before. */
            previousSeq: number;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "account.snapshot" | "account.reset" | "order.received" | "order.approval_requested" | "order.approved" | "order.delayed" | "order.opened" | "order.partially_filled" | "order.filled" | "order.cancel_requested" | "order.canceled" | "order.expired" | "order.rejected" | "order.unknown" | "order.updated" | "order.abandoned" | "fill.created" | "fill.reversed" | "position.changed" | "position.redeemable" | "position.redeemed" | "balance.changed" | "deposit.created" | "key.created" | "key.rotated" | "key.revoked" | "limits.changed" | "trading.frozen" | "trading.thawed" | "wallet.added" | "wallet.removed" | "wallet.key_expiring" | "wallet.key_expired" | "transaction.waiting" | "transaction.submitted" | "transaction.unknown" | "transaction.confirmed" | "transaction.failed" | "market.resolved" | "venue.degraded" | "venue.recovered" | "webhook.disabled";
            /**
             * @description delivered once it was acknowledged; failed after the last attempt.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description How often it was sent, counted anew after a resend. */
            attemptCount: number;
            /** @description The newest 10 attempts, oldest first. */
            attempts: components["schemas"]["WebhookAttempt"][];
            /** @description When it is sent next, or null. */
            nextAttemptAt: string | null;
            /** @description When it was acknowledged, or null. */
            deliveredAt: string | null;
            /**
             * Format: date-time
             * @description When it was enqueued.
             */
            createdAt: string;
        };
        WebhookReplay: {
            /** @description The number after which events are sent again. */
            after: number;
            /** @description How many events are sent. */
            events: number;
        };
        FillList: {
            /** @description Fills, newest first. */
            fills: components["schemas"]["Fill"][];
            /** @description Pass it as nextCursor for the next page; null on the last page. */
            nextCursor: string | null;
        };
        ActivityList: {
            /** @description Ledger lines, newest first. */
            lines: components["schemas"]["ActivityLine"][];
            /** @description Pass it as nextCursor for the next page; null on the last page. */
            nextCursor: string | null;
        };
        ActivityLine: {
            /** @description The line's id. */
            id: string;
            /**
             * @description Why the cash changed.
             * @enum {string}
             */
            kind: "deposit" | "trade" | "fee" | "redeem";
            /** @description The change in USDC; positive when received. */
            amountUsdc: Decimal;
            /** @description Cash owned after this line, in USDC. */
            balanceUsdc: Decimal;
            /** @description The order that caused it, or null. */
            orderId: string | null;
            /** @description The market it belongs to, or null. */
            marketId: string | null;
            /**
             * Format: date-time
             * @description When it was booked.
             */
            createdAt: string;
        };
        Health: {
            /** @description Always ante. */
            service: string;
            /** @description ok while the service can do its work. */
            status: string;
        };
        Failure: {
            /**
             * @description False for a failure.
             * @constant
             */
            ok: false;
            /** @description What went wrong. */
            error: {
                /**
                 * @description Stable: branch on it. New codes can be added.
                 * @enum {string}
                 */
                code: "INVALID_JSON" | "VALIDATION_ERROR" | "MALFORMED_URL" | "UNSUPPORTED_MEDIA_TYPE" | "PAYLOAD_TOO_LARGE" | "INVALID_CURSOR" | "IDEMPOTENCY_KEY_REUSED" | "ORDER_ABANDONED" | "PRICE_REQUIRED" | "AMOUNT_OR_SHARES_REQUIRED" | "CONFLICTING_FIELDS" | "INVALID_TICK_SIZE" | "PRICE_OFF_TICK" | "ORDER_TOO_SMALL" | "PRECISION_TOO_HIGH" | "INSUFFICIENT_BALANCE" | "INSUFFICIENT_SHARES" | "INSUFFICIENT_ALLOWANCE" | "MARKET_CLOSED" | "NO_LIQUIDITY" | "ORDER_NOT_FILLED" | "ORDER_REJECTED" | "TRADING_RESTRICTED" | "RISK_LIMIT_EXCEEDED" | "TRADING_FROZEN" | "SESSION_KEY_EXPIRED" | "ORDER_NOT_CANCELABLE" | "MISSING_API_KEY" | "INVALID_API_KEY" | "API_KEY_EXPIRED" | "API_KEY_REVOKED" | "INSUFFICIENT_SCOPE" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_DISABLED" | "SESSION_ENDED" | "SECOND_FACTOR_REQUIRED" | "ROUTE_NOT_FOUND" | "ORDER_NOT_FOUND" | "MARKET_NOT_FOUND" | "WALLET_NOT_FOUND" | "WEBHOOK_NOT_FOUND" | "TRANSACTION_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "RATE_LIMITED" | "ORDER_OUTCOME_UNKNOWN" | "ORDER_IN_PROGRESS" | "CANCEL_OUTCOME_UNKNOWN" | "UPSTREAM_ERROR" | "UPSTREAM_TIMEOUT" | "UPSTREAM_UNAVAILABLE" | "UPSTREAM_RATE_LIMITED" | "UPSTREAM_AUTH_FAILED" | "UPSTREAM_BAD_RESPONSE" | "TRADING_PAUSED" | "DATABASE_UNAVAILABLE" | "SIGNER_UNAVAILABLE" | "INTERNAL_ERROR";
                /** @description The reason, as a sentence for users. */
                message: string;
            };
        };
        EndpointTest: {
            /**
             * @description Always endpoint.test.
             * @constant
             */
            type: "endpoint.test";
            /**
             * Format: date-time
             * @description When it was sent.
             */
            createdAt: string;
            /** @description What it is about. */
            data: {
                /** @description The endpoint's id. */
                webhookId: string;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Get the USDC balance, allowance and addresses */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["Balance"];
                    };
                };
            };
        };
    };
    listPositions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: List positions with portfolio value, profit and loss */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["Portfolio"];
                    };
                };
            };
        };
    };
    redeemPosition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The position's id, which is its token id. */
                positionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Claim a position of a resolved market */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["ClaimResult"];
                    };
                };
            };
        };
    };
    splitPosition: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SplitOrMergeBody"];
            };
        };
        responses: {
            /** @description OK: Turn USDC into shares of both outcomes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["WalletTransaction"];
                    };
                };
            };
        };
    };
    mergePositions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SplitOrMergeBody"];
            };
        };
        responses: {
            /** @description OK: Turn shares of both outcomes into USDC */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["WalletTransaction"];
                    };
                };
            };
        };
    };
    getApprovals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: List the approvals of the live wallet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["WalletApprovals"];
                    };
                };
            };
        };
    };
    setApprovals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Give the missing approvals */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["WalletApprovals"];
                    };
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: List claims, splits, merges and approvals */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["WalletTransactionList"];
                    };
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The transaction's id, as its request returned. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Get one transaction and its status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["WalletTransaction"];
                    };
                };
            };
        };
    };
    cancelTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The transaction's id, as its request returned. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Cancel a transaction that was not submitted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["WalletTransaction"];
                    };
                };
            };
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Get this API key's scopes, limits and state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["KeyWithLimits"];
                    };
                };
            };
        };
    };
    lowerLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Only the limits that change. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LowerLimits"];
            };
        };
        responses: {
            /** @description OK: Give this key lower limits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["KeyWithLimits"];
                    };
                };
            };
        };
    };
    freezeKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Stop this key from placing orders, and cancel its open ones */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["FrozenKey"];
                    };
                };
            };
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /** @description Only orders in this state. */
                status?: "pending" | "pending_approval" | "submitting" | "delayed" | "open" | "filled" | "canceled" | "expired" | "rejected" | "unknown" | "abandoned";
                /** @description Only this market, by condition id or slug. An unknown market matches nothing. */
                market?: string;
                /** @description Only this outcome, by its token id. */
                assetId?: string;
                /** @description Only the order that was placed with this key. */
                idempotencyKey?: string;
                /** @description Only buys, or only sells. */
                action?: "BUY" | "SELL";
                /** @description Only orders received at or after this instant. */
                from?: string;
                /** @description Only orders received before this instant. */
                to?: string;
                /** @description Rows per page, 100 by default. */
                limit?: number;
                /** @description The nextCursor of the previous page. */
                nextCursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: List orders in every state, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["OrderList"];
                    };
                };
            };
        };
    };
    placeOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same as idempotencyKey in the body. If both are given, they must be equal. */
                "Idempotency-Key"?: string;
                /** @description Paper keys only: the fault to simulate. */
                "X-Rehearse"?: "lost-answer" | "timeout" | "unavailable" | "slow" | "delayed";
            };
            path?: never;
            cookie?: never;
        };
        /** @description A market BUY needs amount or shares. A market SELL needs shares. A limit order needs price and shares; a limit BUY can give amount instead of shares. The price of a market order is the worst acceptable one. Unknown properties are ignored, except order options of other exchanges. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlaceOrder"];
            };
        };
        responses: {
            /** @description OK: Place an order exactly once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["Acknowledgement"];
                    };
                };
            };
        };
    };
    cancelOrders: {
        parameters: {
            query?: {
                /** @description Only this market, by condition id or slug. An unknown market matches nothing. */
                market?: string;
            };
            header?: {
                /** @description Paper keys only: the fault to simulate. */
                "X-Rehearse"?: "lost-answer" | "timeout" | "unavailable" | "slow" | "delayed";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Cancel all open orders, or those of one market */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["CancelOutcomes"];
                    };
                };
            };
        };
    };
    previewOrder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A market BUY needs amount or shares. A market SELL needs shares. A limit order needs price and shares; a limit BUY can give amount instead of shares. The price of a market order is the worst acceptable one. Unknown properties are ignored, except order options of other exchanges. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlaceOrder"];
            };
        };
        responses: {
            /** @description OK: Show what an order would do now, without placing it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["OrderPreview"];
                    };
                };
            };
        };
    };
    listOpenOrders: {
        parameters: {
            query?: {
                /** @description Only the order with this id. */
                id?: string;
                /** @description Only this market, by condition id or slug. An unknown market matches nothing. */
                market?: string;
                /** @description Only this outcome, by its token id. */
                assetId?: string;
                /** @description true: one page of 100. false, the default: up to 1,000 orders. */
                onlyFirstPage?: "true" | "false";
                /** @description The nextCursor of the previous page. */
                nextCursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: List the open orders, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["OpenOrders"];
                    };
                };
            };
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's id, as placing it returned. */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Get one order, in any state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["OrderRecord"];
                    };
                };
            };
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Paper keys only: the fault to simulate. */
                "X-Rehearse"?: "lost-answer" | "timeout" | "unavailable" | "slow" | "delayed";
            };
            path: {
                /** @description The order's id, as placing it returned. */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Cancel one order and release its reserved funds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["OrderRecord"];
                    };
                };
            };
        };
    };
    listMarkets: {
        parameters: {
            query?: {
                /** @description Words of the title, event or category. */
                search?: string;
                /** @description Only this category, in any letter case. */
                category?: string;
                /** @description Only markets in this state; open by default. */
                status?: "open" | "closed" | "resolved";
                /** @description The order of the markets; popular by default. */
                sort?: "popular" | "closing" | "newest";
                /** @description Rows per page, 100 by default. */
                limit?: number;
                /** @description The nextCursor of the previous page. */
                nextCursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: List markets to trade, with their token ids */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["MarketList"];
                    };
                };
            };
        };
    };
    getMarket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The market's condition id or slug. */
                marketId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Get one market by condition id or slug */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["MarketDetail"];
                    };
                };
            };
        };
    };
    getBook: {
        parameters: {
            query?: {
                /** @description The token id of the outcome; the first outcome by default. */
                tokenId?: string;
            };
            header?: never;
            path: {
                /** @description The market's condition id or slug. */
                marketId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Get the order book of one outcome */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["OrderBook"];
                    };
                };
            };
        };
    };
    getHistory: {
        parameters: {
            query?: {
                /** @description The token id of the outcome; the first outcome by default. */
                tokenId?: string;
                /** @description How far back it goes; 1d by default. */
                interval?: "1h" | "6h" | "1d" | "1w" | "1m" | "max";
            };
            header?: never;
            path: {
                /** @description The market's condition id or slug. */
                marketId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Get the price history of one outcome */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["PriceHistory"];
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events after this number. Without it, or with 0: from the start of the current epoch. */
                after?: number;
                /** @description Read an epoch of a paper account that a reset has ended. */
                epoch?: number;
                /** @description Only events of these types, separated by commas. */
                types?: ("account.snapshot" | "account.reset" | "order.received" | "order.approval_requested" | "order.approved" | "order.delayed" | "order.opened" | "order.partially_filled" | "order.filled" | "order.cancel_requested" | "order.canceled" | "order.expired" | "order.rejected" | "order.unknown" | "order.updated" | "order.abandoned" | "fill.created" | "fill.reversed" | "position.changed" | "position.redeemable" | "position.redeemed" | "balance.changed" | "deposit.created" | "key.created" | "key.rotated" | "key.revoked" | "limits.changed" | "trading.frozen" | "trading.thawed" | "wallet.added" | "wallet.removed" | "wallet.key_expiring" | "wallet.key_expired" | "transaction.waiting" | "transaction.submitted" | "transaction.unknown" | "transaction.confirmed" | "transaction.failed" | "market.resolved" | "venue.degraded" | "venue.recovered" | "webhook.disabled")[];
                /** @description Rows per page, 100 by default. */
                limit?: number;
                /** @description Wait up to this long, at most 30 seconds, until there is an event. */
                waitSeconds?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: List every change to the account, in order and without gaps */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["EventList"];
                    };
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description Only events after this number. Without it, or with 0: from the start of the current epoch. */
                after?: number;
                /** @description Only events of these types, separated by commas. */
                types?: ("account.snapshot" | "account.reset" | "order.received" | "order.approval_requested" | "order.approved" | "order.delayed" | "order.opened" | "order.partially_filled" | "order.filled" | "order.cancel_requested" | "order.canceled" | "order.expired" | "order.rejected" | "order.unknown" | "order.updated" | "order.abandoned" | "fill.created" | "fill.reversed" | "position.changed" | "position.redeemable" | "position.redeemed" | "balance.changed" | "deposit.created" | "key.created" | "key.rotated" | "key.revoked" | "limits.changed" | "trading.frozen" | "trading.thawed" | "wallet.added" | "wallet.removed" | "wallet.key_expiring" | "wallet.key_expired" | "transaction.waiting" | "transaction.submitted" | "transaction.unknown" | "transaction.confirmed" | "transaction.failed" | "market.resolved" | "venue.degraded" | "venue.recovered" | "webhook.disabled")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Stream the same events live, as server-sent events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: List the webhook endpoints of the account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["WebhookList"];
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Only url is needed. An account can have 10 endpoints. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description OK: Add an endpoint that receives events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint's id, as creating it returned. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Get one endpoint and its state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint's id, as creating it returned. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Delete an endpoint and end its deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["WebhookDeleted"];
                    };
                };
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint's id, as creating it returned. */
                webhookId: string;
            };
            cookie?: never;
        };
        /** @description Every field is optional. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeWebhook"];
            };
        };
        responses: {
            /** @description OK: Change an endpoint's address, types, order or status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    rotateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint's id, as creating it returned. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Replace the signing secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint's id, as creating it returned. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Send a signed test message now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["WebhookTest"];
                    };
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Rows per page, 100 by default. */
                limit?: number;
                /** @description The nextCursor of the previous page. */
                nextCursor?: string;
            };
            header?: never;
            path: {
                /** @description The endpoint's id, as creating it returned. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: List the deliveries to an endpoint, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["WebhookDeliveryList"];
                    };
                };
            };
        };
    };
    resendDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint's id, as creating it returned. */
                webhookId: string;
                /** @description The delivery's id, which is the webhook-id header. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Send one event again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
    };
    replayEvents: {
        parameters: {
            query?: {
                /** @description Send the events after this number. Without it, or with 0: from the start of the current epoch. */
                after?: number;
            };
            header?: never;
            path: {
                /** @description The endpoint's id, as creating it returned. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Send all events after a number again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["WebhookReplay"];
                    };
                };
            };
        };
    };
    listFills: {
        parameters: {
            query?: {
                /** @description Only the fills of this order. */
                orderId?: string;
                /** @description Only this market, by condition id or slug. An unknown market matches nothing. */
                market?: string;
                /** @description Rows per page, 100 by default. */
                limit?: number;
                /** @description The nextCursor of the previous page. */
                nextCursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: List fills, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["FillList"];
                    };
                };
            };
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /** @description Only this market, by condition id or slug. An unknown market matches nothing. */
                market?: string;
                /** @description Rows per page, 100 by default. */
                limit?: number;
                /** @description The nextCursor of the previous page. */
                nextCursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: List ledger lines with the running balance, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["ActivityList"];
                    };
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Check whether the service is available */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success.
                         * @constant
                         */
                        ok: true;
                        data: components["schemas"]["Health"];
                    };
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Get this reference as an OpenAPI document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    getAsyncApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK: Get the messages of the event stream and of webhooks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
}

/** The fields that are decimal numbers on the wire. */
export const DECIMAL_FIELDS: ReadonlySet<string> = new Set([
  "amount",
  "amountUsdc",
  "availableShares",
  "availableUsdc",
  "avgFillPrice",
  "avgPrice",
  "balanceUsdc",
  "bestAsk",
  "bestBid",
  "builderFee",
  "cost",
  "costUsdc",
  "currentPrice",
  "fee",
  "feeRate",
  "fees",
  "filledShares",
  "holdShares",
  "holdUsdc",
  "limitPrice",
  "minMarketBuy",
  "minOrderShares",
  "payoutUsdc",
  "pnl",
  "pnlPercent",
  "portfolioValue",
  "price",
  "realizedPnl",
  "remainingShares",
  "reservedUsdc",
  "restingShares",
  "shares",
  "totalPnl",
  "unrealizedPnl",
  "value",
  "worstPrice",
]);
