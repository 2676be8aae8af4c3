CREATE TABLE "sandbox_switches" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"switches" jsonb NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_switches_one_row" CHECK ("sandbox_switches"."is_only")
);
