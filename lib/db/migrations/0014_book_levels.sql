CREATE TABLE "book_levels" (
	"market_id" text NOT NULL,
	"side" text NOT NULL,
	"price_micro" bigint NOT NULL,
	"shares_micro" bigint NOT NULL,
	CONSTRAINT "book_levels_market_id_side_price_micro_pk" PRIMARY KEY("market_id","side","price_micro")
);
--> statement-breakpoint
CREATE INDEX "orders_live_user_market" ON "orders" USING btree ("market_id","user_id") WHERE "orders"."status" in ('open', 'delayed');--> statement-breakpoint
-- Keeps book_levels equal to the open paper orders, also those that a process of the version before
-- writes. Live orders (epoch 0) rest in another book.
CREATE FUNCTION keep_book_levels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO book_levels AS level (market_id, side, price_micro, shares_micro)
    SELECT market_id, book_side, book_price_micro, sum(shares_micro - filled_shares_micro)
    FROM new_orders WHERE status = 'open' AND epoch > 0 AND book_price_micro IS NOT NULL
    GROUP BY 1, 2, 3
    ON CONFLICT (market_id, side, price_micro)
      DO UPDATE SET shares_micro = level.shares_micro + excluded.shares_micro;
    RETURN NULL;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO book_levels AS level (market_id, side, price_micro, shares_micro)
    SELECT market_id, book_side, book_price_micro, sum(shares) FROM (
      SELECT market_id, book_side, book_price_micro, shares_micro - filled_shares_micro AS shares
      FROM new_orders WHERE status = 'open' AND epoch > 0 AND book_price_micro IS NOT NULL
      UNION ALL
      SELECT market_id, book_side, book_price_micro, filled_shares_micro - shares_micro
      FROM old_orders WHERE status = 'open' AND epoch > 0 AND book_price_micro IS NOT NULL) changed
    GROUP BY 1, 2, 3 HAVING sum(shares) <> 0
    ON CONFLICT (market_id, side, price_micro)
      DO UPDATE SET shares_micro = level.shares_micro + excluded.shares_micro;
  ELSE
    UPDATE book_levels AS level SET shares_micro = level.shares_micro - gone.shares FROM (
      SELECT market_id, book_side, book_price_micro, sum(shares_micro - filled_shares_micro) AS shares
      FROM old_orders WHERE status = 'open' AND epoch > 0 AND book_price_micro IS NOT NULL
      GROUP BY 1, 2, 3) gone
    WHERE level.market_id = gone.market_id AND level.side = gone.book_side
      AND level.price_micro = gone.book_price_micro;
  END IF;
  DELETE FROM book_levels AS level USING (
    SELECT DISTINCT market_id, book_side, book_price_micro
    FROM old_orders WHERE status = 'open' AND epoch > 0 AND book_price_micro IS NOT NULL) emptied
  WHERE level.market_id = emptied.market_id AND level.side = emptied.book_side
    AND level.price_micro = emptied.book_price_micro AND level.shares_micro = 0;
  RETURN NULL;
END;
$$;
--> statement-breakpoint
-- One statement, so that no order is written between the triggers and the sums.
DO $$
BEGIN
  LOCK TABLE orders IN SHARE ROW EXCLUSIVE MODE;
  CREATE TRIGGER orders_inserted_levels AFTER INSERT ON orders
    REFERENCING NEW TABLE AS new_orders FOR EACH STATEMENT EXECUTE FUNCTION keep_book_levels();
  CREATE TRIGGER orders_updated_levels AFTER UPDATE ON orders
    REFERENCING OLD TABLE AS old_orders NEW TABLE AS new_orders
    FOR EACH STATEMENT EXECUTE FUNCTION keep_book_levels();
  CREATE TRIGGER orders_deleted_levels AFTER DELETE ON orders
    REFERENCING OLD TABLE AS old_orders FOR EACH STATEMENT EXECUTE FUNCTION keep_book_levels();
  INSERT INTO book_levels (market_id, side, price_micro, shares_micro)
  SELECT market_id, book_side, book_price_micro, sum(shares_micro - filled_shares_micro)
  FROM orders
  WHERE status IN ('open', 'delayed') AND status = 'open' AND epoch > 0
    AND book_price_micro IS NOT NULL
  GROUP BY 1, 2, 3;
END;
$$;
