CREATE TABLE "live_wallets" (
	"user_id" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"funder_address" text NOT NULL,
	"signature_type" integer NOT NULL,
	"sealed_key" text NOT NULL,
	"sealed_credentials" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fill_settlements" (
	"fill_id" text PRIMARY KEY NOT NULL,
	"trade_id" text NOT NULL,
	"user_id" text NOT NULL,
	"status" text NOT NULL,
	"transaction_hash" text,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reconciliations" (
	"user_id" text PRIMARY KEY NOT NULL,
	"leased_until" timestamp (3) with time zone NOT NULL,
	"trades_until" timestamp (3) with time zone NOT NULL,
	"succeeded_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "remote_orders" (
	"order_id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"venue_order_id" text NOT NULL,
	"body" text NOT NULL,
	"order_type" text NOT NULL,
	"key_hash" text NOT NULL,
	"is_ambiguous" boolean DEFAULT false NOT NULL,
	"posting_until" timestamp (3) with time zone NOT NULL,
	"unseen_count" integer DEFAULT 0 NOT NULL,
	"cancel_requested_at" timestamp (3) with time zone,
	"cancel_key_id" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "markets_slug";--> statement-breakpoint
ALTER TABLE "markets" ALTER COLUMN "template_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "markets" ALTER COLUMN "template_market_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "markets" ALTER COLUMN "instance" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "mode" text DEFAULT 'paper' NOT NULL;--> statement-breakpoint
ALTER TABLE "live_wallets" ADD CONSTRAINT "live_wallets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fill_settlements" ADD CONSTRAINT "fill_settlements_fill_id_fills_id_fk" FOREIGN KEY ("fill_id") REFERENCES "public"."fills"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remote_orders" ADD CONSTRAINT "remote_orders_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "live_wallets_address" ON "live_wallets" USING btree ("address");--> statement-breakpoint
CREATE INDEX "fill_settlements_open" ON "fill_settlements" USING btree ("user_id") WHERE "fill_settlements"."status" in ('matched', 'mined');--> statement-breakpoint
CREATE INDEX "fill_settlements_trade" ON "fill_settlements" USING btree ("trade_id");--> statement-breakpoint
CREATE UNIQUE INDEX "remote_orders_venue_order" ON "remote_orders" USING btree ("venue_order_id");--> statement-breakpoint
CREATE INDEX "remote_orders_user" ON "remote_orders" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "markets_slug" ON "markets" USING btree ("slug");