CREATE TABLE "notification_marks" (
	"user_id" text NOT NULL,
	"mode" text NOT NULL,
	"read_seq" bigint NOT NULL,
	CONSTRAINT "notification_marks_user_id_mode_pk" PRIMARY KEY("user_id","mode")
);
--> statement-breakpoint
ALTER TABLE "notification_marks" ADD CONSTRAINT "notification_marks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_events_notified" ON "account_events" USING btree ("user_id","mode","seq") WHERE type in ('order.partially_filled', 'order.filled', 'order.rejected', 'order.expired', 'market.resolved', 'webhook.disabled');--> statement-breakpoint
-- What happened before there were notifications is read.
INSERT INTO "notification_marks" ("user_id", "mode", "read_seq")
SELECT "owner"."id", 'paper', "account"."version" FROM "users" AS "owner"
JOIN "ledger_accounts" AS "account" ON "account"."id" = "owner"."id" || '/' || "owner"."epoch" || '/usdc/available'
UNION ALL
SELECT "owner"."id", 'live', "account"."version" FROM "users" AS "owner"
JOIN "ledger_accounts" AS "account" ON "account"."id" = "owner"."id" || '/0/usdc/available'
ON CONFLICT DO NOTHING;
