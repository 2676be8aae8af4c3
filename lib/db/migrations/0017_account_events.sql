CREATE TABLE "account_events" (
	"user_id" text NOT NULL,
	"mode" text NOT NULL,
	"seq" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"type" text NOT NULL,
	"data" json NOT NULL,
	"order_id" text,
	"request_id" text,
	"key_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_events_user_id_mode_seq_pk" PRIMARY KEY("user_id","mode","seq")
);
--> statement-breakpoint
CREATE INDEX "account_events_starts" ON "account_events" USING btree ("user_id","mode","seq") WHERE "account_events"."type" in ('account.reset', 'account.snapshot');--> statement-breakpoint
CREATE TRIGGER account_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "account_events"
  FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD COLUMN "version" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
-- The default stays true: it marks the accounts that exist, and those that a process of the version
-- before creates. The new version sets it to false.
ALTER TABLE "ledger_accounts" ADD COLUMN "is_behind" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE FUNCTION mark_account_behind() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_behind := true;
  RETURN NEW;
END;
$$;
--> statement-breakpoint
-- The new version counts `version` up with every change of this row, so an update that does not is
-- from a process of the version before.
CREATE TRIGGER ledger_accounts_behind BEFORE UPDATE ON "ledger_accounts"
  FOR EACH ROW WHEN (NEW.kind = 'available' AND NEW.asset = 'usdc' AND NEW.version = OLD.version
    AND NEW.is_behind = OLD.is_behind)
  EXECUTE FUNCTION mark_account_behind();--> statement-breakpoint
CREATE FUNCTION continue_account_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := coalesce((SELECT version FROM ledger_accounts
    WHERE id = NEW.user_id || '/' || (NEW.epoch - 1) || '/usdc/available'), 0);
  RETURN NEW;
END;
$$;
--> statement-breakpoint
-- A paper account's log goes on with the next number after a reset, which starts an epoch.
CREATE TRIGGER ledger_accounts_continue BEFORE INSERT ON "ledger_accounts"
  FOR EACH ROW WHEN (NEW.kind = 'available' AND NEW.asset = 'usdc' AND NEW.epoch > 1
    AND NEW.version = 0)
  EXECUTE FUNCTION continue_account_log();--> statement-breakpoint
-- Rows from before count as logged, because the first snapshot of the account holds what they did.
-- A process of the version before leaves the column to its default, false.
ALTER TABLE "order_events" ADD COLUMN "is_logged" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "order_events" ALTER COLUMN "is_logged" SET DEFAULT false;--> statement-breakpoint
CREATE INDEX "order_events_unlogged" ON "order_events" USING btree ("order_id") WHERE not "order_events"."is_logged";--> statement-breakpoint
ALTER TABLE "markets" ADD COLUMN "announced_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "markets_unannounced" ON "markets" USING btree ("resolves_at") WHERE "markets"."announced_at" is null;--> statement-breakpoint
CREATE INDEX "positions_market" ON "positions" USING btree ("market_id");
