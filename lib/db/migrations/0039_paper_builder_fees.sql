ALTER TABLE "orders" ADD COLUMN "builder_code" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "builder_taker_bps" integer;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "builder_maker_bps" integer;