/** Every route file under app/api. The build generates this module (lib/cli/bundle.mjs). */
declare module "ante:routes" {
  import type { RouteModule } from "@/lib/api/router";
  export const ROUTE_MODULES: readonly RouteModule[];
}
