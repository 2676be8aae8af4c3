DROP INDEX "account_events_notified";--> statement-breakpoint
ALTER TABLE "live_wallets" ADD COLUMN "session_expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "live_wallets" ADD COLUMN "session_scopes" text[];--> statement-breakpoint
ALTER TABLE "live_wallets" ADD COLUMN "session_notice" text;--> statement-breakpoint
CREATE INDEX "live_wallets_session_end" ON "live_wallets" USING btree ("session_expires_at");--> statement-breakpoint
CREATE INDEX "account_events_notified" ON "account_events" USING btree ("user_id","mode","seq") WHERE type in ('order.partially_filled', 'order.filled', 'order.approval_requested', 'order.rejected', 'order.expired', 'market.resolved', 'trading.frozen', 'trading.thawed', 'wallet.key_expiring', 'wallet.key_expired', 'webhook.disabled');--> statement-breakpoint
ALTER TABLE "live_wallets" ADD CONSTRAINT "live_wallets_session" CHECK (("live_wallets"."session_expires_at" is null) = ("live_wallets"."session_scopes" is null));