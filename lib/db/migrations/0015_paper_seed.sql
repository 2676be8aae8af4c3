CREATE TABLE "paper_seed" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"seed" text NOT NULL,
	"generator" smallint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "paper_seed_one_row" CHECK ("paper_seed"."is_only")
);
