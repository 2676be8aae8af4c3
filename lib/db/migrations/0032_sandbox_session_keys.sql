CREATE TABLE "sandbox_session_keys" (
	"wallet" text NOT NULL,
	"address" text NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"authorized_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "sandbox_session_keys_wallet_address_pk" PRIMARY KEY("wallet","address")
);
--> statement-breakpoint
CREATE INDEX "sandbox_session_keys_address" ON "sandbox_session_keys" USING btree ("address");