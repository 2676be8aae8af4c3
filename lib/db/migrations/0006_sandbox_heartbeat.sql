ALTER TABLE "sandbox_keys" ADD COLUMN "heartbeat_id" text;--> statement-breakpoint
ALTER TABLE "sandbox_keys" ADD COLUMN "heartbeat_at" timestamp (3) with time zone;