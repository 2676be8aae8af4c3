CREATE TABLE "budget_holdings" (
	"user_id" text NOT NULL,
	"epoch" integer NOT NULL,
	"token_id" text NOT NULL,
	"budget_id" text NOT NULL,
	"market_id" text NOT NULL,
	"shares_micro" bigint NOT NULL,
	"cost_micro" bigint NOT NULL,
	"spent_micro" bigint NOT NULL,
	CONSTRAINT "budget_holdings_user_id_epoch_token_id_budget_id_pk" PRIMARY KEY("user_id","epoch","token_id","budget_id")
);
--> statement-breakpoint
CREATE TABLE "budget_minutes" (
	"user_id" text NOT NULL,
	"epoch" integer NOT NULL,
	"budget_id" text NOT NULL,
	"minute" timestamp (3) with time zone NOT NULL,
	"spent_micro" bigint NOT NULL,
	"lost_micro" bigint NOT NULL,
	CONSTRAINT "budget_minutes_user_id_epoch_minute_budget_id_pk" PRIMARY KEY("user_id","epoch","minute","budget_id")
);
--> statement-breakpoint
CREATE TABLE "limit_rules" (
	"user_id" text NOT NULL,
	"scope" text NOT NULL,
	"subject" text NOT NULL,
	"limits" jsonb NOT NULL,
	"frozen_at" timestamp (3) with time zone,
	"frozen_reason" text,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "limit_rules_user_id_scope_subject_pk" PRIMARY KEY("user_id","scope","subject")
);
--> statement-breakpoint
CREATE INDEX "budget_holdings_market" ON "budget_holdings" USING btree ("market_id");--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "budget_id" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "is_limited" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "limit_rules" ADD CONSTRAINT "limit_rules_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Adds the fills of a statement to the budgets, also those that a process of the version before writes.
-- The owner's cash row is locked by then, and the token's market or the order, so that no other
-- transaction changes the same rows. The orders of the statement are visible here.
CREATE FUNCTION add_budget_fills() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sale record;
  lot record;
  rest bigint;
  taken bigint;
  freed bigint;
  lost bigint;
BEGIN
  INSERT INTO budget_holdings AS had
    (user_id, epoch, token_id, budget_id, market_id, shares_micro, cost_micro, spent_micro)
  SELECT fill.user_id, fill.epoch, fill.token_id, coalesce(api_keys.budget_id, placed.key_id, ''),
    fill.market_id, sum(fill.shares_micro), sum(fill.notional_micro + fill.fee_micro),
    sum(fill.notional_micro + fill.fee_micro)
  FROM new_fills AS fill JOIN orders AS placed ON placed.id = fill.order_id
    LEFT JOIN api_keys ON api_keys.id = placed.key_id
  WHERE fill.action = 'BUY'
  GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (user_id, epoch, token_id, budget_id) DO UPDATE SET
    shares_micro = had.shares_micro + excluded.shares_micro,
    cost_micro = had.cost_micro + excluded.cost_micro,
    spent_micro = had.spent_micro + excluded.spent_micro;

  INSERT INTO budget_minutes AS had (user_id, epoch, minute, budget_id, spent_micro, lost_micro)
  SELECT fill.user_id, fill.epoch, date_trunc('minute', fill.created_at, 'UTC'),
    coalesce(api_keys.budget_id, placed.key_id, ''), sum(fill.notional_micro + fill.fee_micro), 0
  FROM new_fills AS fill JOIN orders AS placed ON placed.id = fill.order_id
    LEFT JOIN api_keys ON api_keys.id = placed.key_id
  WHERE fill.action = 'BUY'
  GROUP BY 1, 2, 3, 4
  ON CONFLICT (user_id, epoch, minute, budget_id)
    DO UPDATE SET spent_micro = had.spent_micro + excluded.spent_micro;

  FOR sale IN
    SELECT fill.user_id, fill.epoch, fill.token_id,
      coalesce(api_keys.budget_id, placed.key_id, '') AS budget_id, sum(fill.shares_micro) AS sold,
      sum(fill.notional_micro - fill.fee_micro) AS received,
      date_trunc('minute', max(fill.created_at), 'UTC') AS minute
    FROM new_fills AS fill JOIN orders AS placed ON placed.id = fill.order_id
      LEFT JOIN api_keys ON api_keys.id = placed.key_id
    WHERE fill.action = 'SELL'
    GROUP BY 1, 2, 3, 4
  LOOP
    rest := sale.sold;
    lost := 0;
    FOR lot IN
      SELECT * FROM budget_holdings
      WHERE user_id = sale.user_id AND epoch = sale.epoch AND token_id = sale.token_id
        AND shares_micro > 0
      ORDER BY budget_id = sale.budget_id DESC, budget_id
    LOOP
      EXIT WHEN rest = 0;
      taken := least(rest, lot.shares_micro);
      freed := floor(lot.cost_micro::numeric * taken / lot.shares_micro);
      UPDATE budget_holdings
      SET shares_micro = lot.shares_micro - taken, cost_micro = lot.cost_micro - freed
      WHERE user_id = lot.user_id AND epoch = lot.epoch AND token_id = lot.token_id
        AND budget_id = lot.budget_id;
      rest := rest - taken;
      lost := lost + freed;
    END LOOP;
    -- Shares that were bought elsewhere have no cost here, so their proceeds are left out, too.
    lost := lost - floor(sale.received::numeric * (sale.sold - rest) / sale.sold);
    INSERT INTO budget_minutes AS had (user_id, epoch, minute, budget_id, spent_micro, lost_micro)
    VALUES (sale.user_id, sale.epoch, sale.minute, sale.budget_id, 0, lost)
    ON CONFLICT (user_id, epoch, minute, budget_id)
      DO UPDATE SET lost_micro = had.lost_micro + excluded.lost_micro;
  END LOOP;
  RETURN NULL;
END;
$$;
--> statement-breakpoint
-- Counts the fills from before the trigger. Trades wait for it, because a sum of sales cannot be added
-- afterwards. Shares that are still held are shared out among the budgets that bought them.
DO $$
BEGIN
  LOCK TABLE fills IN SHARE ROW EXCLUSIVE MODE;
  CREATE TRIGGER fills_inserted_budgets AFTER INSERT ON fills
    REFERENCING NEW TABLE AS new_fills FOR EACH STATEMENT EXECUTE FUNCTION add_budget_fills();
  INSERT INTO budget_holdings
    (user_id, epoch, token_id, budget_id, market_id, shares_micro, cost_micro, spent_micro)
  SELECT user_id, epoch, token_id, budget_id, market_id,
    floor(bought::numeric * held / all_bought), ceil(spent::numeric * held / all_bought), spent
  FROM (
    SELECT fill.user_id, fill.epoch, fill.token_id, coalesce(placed.key_id, '') AS budget_id,
      fill.market_id,
      sum(fill.shares_micro) AS bought, sum(fill.notional_micro + fill.fee_micro) AS spent,
      sum(sum(fill.shares_micro)) OVER token AS all_bought,
      greatest(0, sum(sum(fill.shares_micro)) OVER token - coalesce((
        SELECT sum(sold.shares_micro) FROM fills AS sold
        WHERE sold.user_id = fill.user_id AND sold.epoch = fill.epoch
          AND sold.token_id = fill.token_id AND sold.action = 'SELL'), 0)) AS held
    FROM fills AS fill JOIN orders AS placed ON placed.id = fill.order_id
    WHERE fill.action = 'BUY'
    GROUP BY 1, 2, 3, 4, 5
    WINDOW token AS (PARTITION BY fill.user_id, fill.epoch, fill.token_id)
  ) AS bought;
  INSERT INTO budget_minutes (user_id, epoch, minute, budget_id, spent_micro, lost_micro)
  SELECT fill.user_id, fill.epoch, date_trunc('minute', fill.created_at, 'UTC'),
    coalesce(placed.key_id, ''), sum(fill.notional_micro + fill.fee_micro), 0
  FROM fills AS fill JOIN orders AS placed ON placed.id = fill.order_id
  WHERE fill.action = 'BUY' AND fill.created_at > now() - interval '25 hours'
  GROUP BY 1, 2, 3, 4;
END;
$$;
