import { asyncApiText } from "@/lib/api/asyncapi";
import { Reply } from "@/lib/api/http/respond";
import { route } from "@/lib/api/route";

let document: Reply | undefined;

export const GET = route(
  "getAsyncApi",
  () => (document ??= new Reply({ status: 200, body: asyncApiText() })),
);
