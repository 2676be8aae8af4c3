CREATE TABLE "sandbox_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"nonce" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "sandbox_keys_owner" ON "sandbox_keys" USING btree ("owner");