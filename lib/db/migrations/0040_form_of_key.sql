ALTER TABLE "api_keys" ADD COLUMN "form_id" text;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_form" ON "api_keys" USING btree ("user_id","form_id");