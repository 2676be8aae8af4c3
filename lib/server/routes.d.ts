/** Every route file under app/api, gathered by the build (lib/cli/bundle.mjs). */
declare module "ante:routes" {
  import type { RouteModule } from "@/lib/http/lane";
  export const ROUTE_MODULES: readonly RouteModule[];
}
