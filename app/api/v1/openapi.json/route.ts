import { Reply } from "@/lib/api/http/respond";
import { route } from "@/lib/api/route";
import { openApiText } from "@/lib/api/openapi";

let document: Reply | undefined;

export const GET = route(
  "getOpenApi",
  () => (document ??= new Reply({ status: 200, body: openApiText() })),
);
