import { refused } from "@/lib/http/refused";
import { Reply } from "@/lib/http/respond";
import { route } from "@/lib/http/route";
import { openApiText } from "@/lib/schemas/openapi";

export const GET = route("getOpenApi", () => new Reply({ status: 200, body: openApiText() }));

export const { HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = refused;
