/** Every route file under app/api, gathered by the build (lib/cli/bundle.mjs). */
declare module "ante:routes" {
  import type { RouteModule } from "@/lib/http/lane";
  import type { SandboxFile } from "@/lib/http/sandbox-lane";
  export const ROUTE_MODULES: readonly RouteModule[];
  export const SANDBOX_FILES: readonly SandboxFile[];
}
