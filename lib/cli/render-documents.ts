import "server-only";

export { renderClientTypes } from "@/lib/cli/render-client-types";
export { renderConfiguration } from "@/lib/cli/render-configuration";
