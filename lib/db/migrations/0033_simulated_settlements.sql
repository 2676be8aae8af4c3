CREATE TABLE "simulated_settlements" (
	"order_id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"settlement" text NOT NULL,
	"shares_micro" bigint NOT NULL,
	"notional_micro" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "simulated_settlements_user" ON "simulated_settlements" USING btree ("user_id","created_at");