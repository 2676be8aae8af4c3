CREATE TABLE "sandbox_approvals" (
	"wallet" text NOT NULL,
	"token" text NOT NULL,
	"spender" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	CONSTRAINT "sandbox_approvals_wallet_token_spender_pk" PRIMARY KEY("wallet","token","spender")
);
--> statement-breakpoint
CREATE TABLE "sandbox_builder_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sandbox_transactions" (
	"id" text PRIMARY KEY NOT NULL,
	"wallet" text NOT NULL,
	"sender" text NOT NULL,
	"type" text NOT NULL,
	"nonce" numeric(78, 0),
	"calls" jsonb NOT NULL,
	"metadata" text NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"mined_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone NOT NULL,
	"applied_at" timestamp (3) with time zone,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "sandbox_wallets" (
	"address" text PRIMARY KEY NOT NULL,
	"nonce" bigint DEFAULT 0 NOT NULL,
	"deployed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "sandbox_builder_keys_owner" ON "sandbox_builder_keys" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "sandbox_transactions_wallet" ON "sandbox_transactions" USING btree ("wallet","created_at");--> statement-breakpoint
CREATE INDEX "sandbox_transactions_key" ON "sandbox_transactions" USING btree ("key_id","created_at");--> statement-breakpoint
CREATE INDEX "sandbox_transactions_pending" ON "sandbox_transactions" USING btree ("wallet") WHERE "sandbox_transactions"."applied_at" is null and "sandbox_transactions"."error" is null;