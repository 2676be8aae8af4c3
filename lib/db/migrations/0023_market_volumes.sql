CREATE TABLE "market_volumes" (
	"market_id" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"volume_micro" bigint NOT NULL,
	CONSTRAINT "market_volumes_market_id_hour_pk" PRIMARY KEY("market_id","hour")
);
--> statement-breakpoint
CREATE INDEX "market_volumes_hour" ON "market_volumes" USING btree ("hour");--> statement-breakpoint
-- Adds the trades of a statement, also those that a process of the version before writes. All fills of
-- a trade are in one statement. If only the maker has one, the house took the order: it pays what a
-- seller gets, or the rest of the dollar to a buyer. Live trades (epoch 0) count at their venue.
CREATE FUNCTION add_market_volumes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO market_volumes AS traded (market_id, hour, volume_micro)
  SELECT market_id, date_trunc('hour', created_at, 'UTC'), sum(
    CASE WHEN role = 'maker' AND action = 'BUY' THEN shares_micro - notional_micro
      ELSE notional_micro END)
  FROM new_fills AS fill
  WHERE epoch > 0 AND (role = 'taker' OR NOT EXISTS (
    SELECT FROM new_fills AS other WHERE other.trade_id = fill.trade_id AND other.role = 'taker'))
  GROUP BY 1, 2
  ON CONFLICT (market_id, hour)
    DO UPDATE SET volume_micro = traded.volume_micro + excluded.volume_micro;
  RETURN NULL;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER fills_inserted_volumes AFTER INSERT ON fills
  REFERENCING NEW TABLE AS new_fills FOR EACH STATEMENT EXECUTE FUNCTION add_market_volumes();
--> statement-breakpoint
-- Adds the fills from before the trigger while others trade. The statement sees all fills of one moment
-- and what the trigger has counted until then; the difference is what the trigger has not seen.
INSERT INTO market_volumes AS traded (market_id, hour, volume_micro)
SELECT market_id, hour, total.volume_micro - coalesce(counted.volume_micro, 0)
FROM (
  SELECT market_id, date_trunc('hour', created_at, 'UTC') AS hour, sum(
    CASE WHEN role = 'maker' AND action = 'BUY' THEN shares_micro - notional_micro
      ELSE notional_micro END) AS volume_micro
  FROM fills AS fill
  WHERE epoch > 0 AND (role = 'taker' OR NOT EXISTS (
    SELECT FROM fills AS other WHERE other.trade_id = fill.trade_id AND other.role = 'taker'))
  GROUP BY 1, 2
) AS total LEFT JOIN market_volumes AS counted USING (market_id, hour)
WHERE total.volume_micro <> coalesce(counted.volume_micro, 0)
ORDER BY hour, market_id
ON CONFLICT (market_id, hour)
  DO UPDATE SET volume_micro = traded.volume_micro + excluded.volume_micro;
