CREATE FUNCTION sandbox_transaction_hash(id text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT encode(sha256(convert_to(id, 'UTF8')), 'hex')
$$;
--> statement-breakpoint
CREATE INDEX "sandbox_transactions_hash" ON "sandbox_transactions" USING btree (sandbox_transaction_hash("id"));
