CREATE TABLE "split_movements" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"epoch" integer NOT NULL,
	"market_id" text NOT NULL,
	"token_id" text NOT NULL,
	"action" text NOT NULL,
	"shares_micro" bigint NOT NULL,
	"notional_micro" bigint NOT NULL,
	"sequence" bigint DEFAULT nextval('fills_sequence_seq') NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "split_movements_user" ON "split_movements" USING btree ("user_id","epoch");--> statement-breakpoint
CREATE INDEX "split_movements_newest" ON "split_movements" USING brin ("sequence") WITH (autosummarize=true);
--> statement-breakpoint
CREATE TRIGGER split_movements_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "split_movements"
  FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();
