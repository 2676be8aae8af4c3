CREATE TABLE "account_log_checks" (
	"user_id" text NOT NULL,
	"mode" text NOT NULL,
	"seq" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"state" json NOT NULL,
	CONSTRAINT "account_log_checks_user_id_mode_pk" PRIMARY KEY("user_id","mode")
);
--> statement-breakpoint
CREATE INDEX "ledger_accounts_behind" ON "ledger_accounts" USING btree ("id" collate "C") WHERE "ledger_accounts"."is_behind" and "ledger_accounts"."kind" = 'available' and "ledger_accounts"."asset" = 'usdc';--> statement-breakpoint
CREATE OR REPLACE FUNCTION continue_account_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The lock keeps a snapshot of the epoch that ends from adding an event after this number is read.
  SELECT version INTO NEW.version FROM ledger_accounts
    WHERE user_id = NEW.user_id AND kind = 'available' AND asset = 'usdc'
      AND epoch BETWEEN 1 AND NEW.epoch - 1
    ORDER BY epoch DESC LIMIT 1 FOR UPDATE;
  NEW.version := coalesce(NEW.version, 0);
  RETURN NEW;
END;
$$;
--> statement-breakpoint
CREATE FUNCTION mark_owner_behind(owner_id text, owner_epoch integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO ledger_accounts (id, kind, asset, user_id, epoch, balance_micro, is_behind)
    VALUES (owner_id || '/' || owner_epoch || '/usdc/available', 'available', 'usdc', owner_id,
      owner_epoch, 0, true)
    ON CONFLICT (id) DO UPDATE SET is_behind = true
$$;
--> statement-breakpoint
CREATE FUNCTION mark_unlogged_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_owner_behind(user_id, epoch) FROM orders WHERE id = NEW.order_id;
  RETURN NULL;
END;
$$;
--> statement-breakpoint
-- A process of the version before changes orders, and positions with them, without a change of the
-- owner's available cash.
CREATE TRIGGER order_events_unlogged AFTER INSERT ON "order_events"
  FOR EACH ROW WHEN (NOT NEW.is_logged) EXECUTE FUNCTION mark_unlogged_order();--> statement-breakpoint
CREATE FUNCTION mark_unlogged_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The new version adds at most three events with a claim: the claim, the position and the cash.
  PERFORM mark_owner_behind(shares.user_id, shares.epoch) FROM ledger_accounts AS shares
    WHERE shares.id = NEW.debit_account AND NOT EXISTS (
      SELECT FROM ledger_accounts AS cash JOIN account_events AS event
        ON event.user_id = cash.user_id AND event.mode = 'paper' AND event.seq > cash.version - 3
      WHERE cash.id = shares.user_id || '/' || shares.epoch || '/usdc/available'
        AND event.type = 'position.redeemed' AND event.data ->> 'tokenId' = NEW.asset);
  RETURN NULL;
END;
$$;
--> statement-breakpoint
-- A process of the version before claims worthless shares without a change of the cash.
CREATE TRIGGER ledger_transfers_unlogged AFTER INSERT ON "ledger_transfers"
  FOR EACH ROW WHEN (NEW.kind = 'redeem' AND NEW.asset <> 'usdc') EXECUTE FUNCTION mark_unlogged_claim();
