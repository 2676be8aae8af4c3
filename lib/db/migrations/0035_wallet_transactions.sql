CREATE TABLE "automatic_claims" (
	"user_id" text PRIMARY KEY NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signed_transactions" (
	"transaction_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"wallet" text NOT NULL,
	"body" text NOT NULL,
	"nonce" numeric(78, 0) NOT NULL,
	"deadline" timestamp (3) with time zone,
	"is_ambiguous" boolean DEFAULT false NOT NULL,
	"relayer_id" text,
	"transaction_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "signed_transactions_transaction_id_attempt_pk" PRIMARY KEY("transaction_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "wallet_transactions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"epoch" integer NOT NULL,
	"wallet" text NOT NULL,
	"kind" text NOT NULL,
	"market_id" text,
	"shares_micro" bigint,
	"claims" jsonb,
	"status" text NOT NULL,
	"wait_reason" text,
	"failure" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"leased_until" timestamp (3) with time zone NOT NULL,
	"is_automatic" boolean DEFAULT false NOT NULL,
	"key_hash" text,
	"fingerprint" text,
	"request_id" text,
	"key_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "automatic_claims" ADD CONSTRAINT "automatic_claims_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signed_transactions" ADD CONSTRAINT "signed_transactions_transaction_id_wallet_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."wallet_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_transactions" ADD CONSTRAINT "wallet_transactions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "signed_transactions_wallet" ON "signed_transactions" USING btree ("wallet","nonce");--> statement-breakpoint
CREATE UNIQUE INDEX "signed_transactions_relayer" ON "signed_transactions" USING btree ("relayer_id");--> statement-breakpoint
CREATE INDEX "wallet_transactions_user" ON "wallet_transactions" USING btree ("user_id","epoch","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_transactions_in_flight" ON "wallet_transactions" USING btree ("wallet") WHERE status in ('signed', 'submitting', 'unknown', 'submitted');--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_transactions_open_claim" ON "wallet_transactions" USING btree ("user_id","market_id") WHERE kind = 'redeem' and status in ('waiting', 'signed', 'submitting', 'unknown', 'submitted');--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_transactions_open_approval" ON "wallet_transactions" USING btree ("user_id") WHERE kind = 'approve' and status in ('waiting', 'signed', 'submitting', 'unknown', 'submitted');--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_transactions_key" ON "wallet_transactions" USING btree ("user_id","key_hash");--> statement-breakpoint
CREATE INDEX "wallet_transactions_due" ON "wallet_transactions" USING btree ("due_at") WHERE status in ('waiting', 'signed', 'submitting', 'unknown', 'submitted');--> statement-breakpoint
-- The shares of a live claim leave the wallet on the chain, whose account belongs to no user.
CREATE OR REPLACE FUNCTION mark_unlogged_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The new version adds at most three events with a claim: the claim, the position and the cash.
  PERFORM mark_owner_behind(shares.user_id, shares.epoch) FROM ledger_accounts AS shares
    WHERE shares.id = NEW.debit_account AND shares.kind = 'available' AND NOT EXISTS (
      SELECT FROM ledger_accounts AS cash JOIN account_events AS event
        ON event.user_id = cash.user_id AND event.mode = 'paper' AND event.seq > cash.version - 3
      WHERE cash.id = shares.user_id || '/' || shares.epoch || '/usdc/available'
        AND event.type = 'position.redeemed' AND event.data ->> 'tokenId' = NEW.asset);
  RETURN NULL;
END;
$$;
