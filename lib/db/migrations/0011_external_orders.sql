ALTER TABLE "remote_orders" ALTER COLUMN "body" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "remote_orders" ALTER COLUMN "key_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "fill_settlements" ADD COLUMN "venue_notional_micro" bigint;--> statement-breakpoint
ALTER TABLE "reconciliations" ADD COLUMN "external_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "remote_orders" ADD COLUMN "fee_rate_micro" bigint;--> statement-breakpoint
ALTER TABLE "remote_orders" ADD COLUMN "venue_matched_micro" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "origin" text DEFAULT 'ante' NOT NULL;