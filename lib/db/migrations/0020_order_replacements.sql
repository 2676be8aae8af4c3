CREATE TABLE "order_replacements" (
	"order_id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"key" text NOT NULL,
	"price_micro" bigint NOT NULL,
	"shares_micro" bigint NOT NULL,
	"rest_shares_micro" bigint,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "order_replacements_key" ON "order_replacements" USING btree ("user_id","key");