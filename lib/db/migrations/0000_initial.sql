CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"mode" text NOT NULL,
	"secret_hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"replaced_by" text
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"status" text NOT NULL,
	"epoch" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"user_id" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"funder_address" text NOT NULL,
	"sealed_key" text NOT NULL,
	"allowance" numeric(78, 0),
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"asset" text NOT NULL,
	"user_id" text,
	"epoch" integer,
	"balance_micro" bigint NOT NULL,
	CONSTRAINT "ledger_accounts_not_negative" CHECK ("ledger_accounts"."balance_micro" >= 0 or "ledger_accounts"."kind" in ('external', 'house', 'issuance'))
);
--> statement-breakpoint
CREATE TABLE "ledger_transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"sequence" bigserial NOT NULL,
	"kind" text NOT NULL,
	"asset" text NOT NULL,
	"debit_account" text NOT NULL,
	"credit_account" text NOT NULL,
	"amount_micro" bigint NOT NULL,
	"group_id" text NOT NULL,
	"order_id" text,
	"market_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_transfers_positive" CHECK ("ledger_transfers"."amount_micro" > 0),
	CONSTRAINT "ledger_transfers_two_accounts" CHECK ("ledger_transfers"."debit_account" <> "ledger_transfers"."credit_account")
);
--> statement-breakpoint
CREATE TABLE "fills" (
	"id" text PRIMARY KEY NOT NULL,
	"trade_id" text NOT NULL,
	"order_id" text NOT NULL,
	"user_id" text NOT NULL,
	"epoch" integer NOT NULL,
	"market_id" text NOT NULL,
	"token_id" text NOT NULL,
	"action" text NOT NULL,
	"role" text NOT NULL,
	"settlement" text NOT NULL,
	"price_micro" bigint NOT NULL,
	"shares_micro" bigint NOT NULL,
	"notional_micro" bigint NOT NULL,
	"fee_micro" bigint NOT NULL,
	"sequence" bigserial NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "house_taken" (
	"market_id" text NOT NULL,
	"epoch" bigint NOT NULL,
	"side" text NOT NULL,
	"price_micro" bigint NOT NULL,
	"taken_micro" bigint NOT NULL,
	CONSTRAINT "house_taken_market_id_epoch_side_price_micro_pk" PRIMARY KEY("market_id","epoch","side","price_micro")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"user_id" text NOT NULL,
	"key_hash" text NOT NULL,
	"fingerprint" text NOT NULL,
	"fields" jsonb NOT NULL,
	"order_id" text NOT NULL,
	"status" integer,
	"body" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_user_id_key_hash_pk" PRIMARY KEY("user_id","key_hash")
);
--> statement-breakpoint
CREATE TABLE "markets" (
	"id" text PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"icon" text NOT NULL,
	"first_token" text NOT NULL,
	"second_token" text NOT NULL,
	"first_outcome" text NOT NULL,
	"second_outcome" text NOT NULL,
	"tick_micro" bigint NOT NULL,
	"fee_rate_micro" bigint NOT NULL,
	"is_neg_risk" boolean NOT NULL,
	"opens_at" timestamp (3) with time zone NOT NULL,
	"closes_at" timestamp (3) with time zone NOT NULL,
	"resolves_at" timestamp (3) with time zone NOT NULL,
	"template_id" text NOT NULL,
	"template_market_id" text NOT NULL,
	"instance" integer NOT NULL,
	"last_price_micro" bigint,
	"last_trade_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "order_events" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"type" text NOT NULL,
	"key_id" text,
	"detail" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"epoch" integer NOT NULL,
	"key_id" text,
	"market_id" text NOT NULL,
	"token_id" text NOT NULL,
	"outcome" integer NOT NULL,
	"action" text NOT NULL,
	"type" text NOT NULL,
	"price_micro" bigint,
	"shares_micro" bigint,
	"amount_micro" bigint,
	"status" text NOT NULL,
	"filled_shares_micro" bigint NOT NULL,
	"filled_notional_micro" bigint NOT NULL,
	"fee_micro" bigint NOT NULL,
	"held_micro" bigint NOT NULL,
	"book_side" text NOT NULL,
	"book_price_micro" bigint,
	"sequence" bigserial NOT NULL,
	"match_after" timestamp (3) with time zone,
	"idempotency_key_json" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "orders_held_not_negative" CHECK ("orders"."held_micro" >= 0),
	CONSTRAINT "orders_not_overfilled" CHECK ("orders"."shares_micro" is null or "orders"."filled_shares_micro" <= "orders"."shares_micro")
);
--> statement-breakpoint
CREATE TABLE "positions" (
	"user_id" text NOT NULL,
	"epoch" integer NOT NULL,
	"token_id" text NOT NULL,
	"market_id" text NOT NULL,
	"shares_micro" bigint NOT NULL,
	"cost_micro" bigint NOT NULL,
	"realized_pnl_micro" bigint NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "positions_user_id_epoch_token_id_pk" PRIMARY KEY("user_id","epoch","token_id"),
	CONSTRAINT "positions_not_negative" CHECK ("positions"."shares_micro" >= 0 and "positions"."cost_micro" >= 0)
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_market_id_markets_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."markets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_user" ON "api_keys" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_address" ON "wallets" USING btree ("address");--> statement-breakpoint
CREATE INDEX "ledger_accounts_user" ON "ledger_accounts" USING btree ("user_id","epoch");--> statement-breakpoint
CREATE INDEX "ledger_transfers_debit" ON "ledger_transfers" USING btree ("debit_account","sequence");--> statement-breakpoint
CREATE INDEX "ledger_transfers_credit" ON "ledger_transfers" USING btree ("credit_account","sequence");--> statement-breakpoint
CREATE UNIQUE INDEX "fills_trade_order" ON "fills" USING btree ("trade_id","order_id");--> statement-breakpoint
CREATE INDEX "fills_order" ON "fills" USING btree ("order_id","sequence");--> statement-breakpoint
CREATE INDEX "fills_user" ON "fills" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "markets_first_token" ON "markets" USING btree ("first_token");--> statement-breakpoint
CREATE UNIQUE INDEX "markets_second_token" ON "markets" USING btree ("second_token");--> statement-breakpoint
CREATE UNIQUE INDEX "markets_slug" ON "markets" USING btree ("slug");--> statement-breakpoint
CREATE INDEX "order_events_order" ON "order_events" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "orders_user_created" ON "orders" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_live_book" ON "orders" USING btree ("market_id","book_side","book_price_micro","sequence") WHERE "orders"."status" in ('open', 'delayed');--> statement-breakpoint
CREATE INDEX "orders_live_user" ON "orders" USING btree ("user_id","created_at","id") WHERE "orders"."status" in ('open', 'delayed');