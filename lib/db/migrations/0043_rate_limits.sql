CREATE UNLOGGED TABLE "guess_logs" (
	"key" text PRIMARY KEY NOT NULL,
	"times" bigint[] NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "write_quotas" (
	"caller" text PRIMARY KEY NOT NULL,
	"full_at_s" double precision NOT NULL
);
