import { getGammaEvent } from "@/lib/sandbox/gamma";
import { openRoute } from "@/lib/sandbox/open-route";

export const GET = openRoute(({ id }) => getGammaEvent(id));
