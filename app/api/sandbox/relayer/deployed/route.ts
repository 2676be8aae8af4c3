import { openRoute } from "@/lib/sandbox/open-route";
import { readDeployed } from "@/lib/sandbox/relayer";

export const GET = openRoute(({ query }) => readDeployed(query));
