CREATE TABLE "books_checkpoint" (
	"id" integer PRIMARY KEY NOT NULL,
	"transfer_sequence" bigint NOT NULL,
	"fill_sequence" bigint NOT NULL,
	"event_id" bigint NOT NULL,
	"transfers" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "books_checkpoint_balances" (
	"account_id" text PRIMARY KEY NOT NULL,
	"balance_micro" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "books_checkpoint_holdings" (
	"user_id" text NOT NULL,
	"epoch" integer NOT NULL,
	"token_id" text NOT NULL,
	"shares_micro" bigint NOT NULL,
	"cost_micro" bigint NOT NULL,
	"realized_pnl_micro" bigint NOT NULL,
	CONSTRAINT "books_checkpoint_holdings_user_id_epoch_token_id_pk" PRIMARY KEY("user_id","epoch","token_id")
);
--> statement-breakpoint
CREATE INDEX "ledger_transfers_newest" ON "ledger_transfers" USING brin ("sequence") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX "fills_newest" ON "fills" USING brin ("sequence") WITH (autosummarize=true);