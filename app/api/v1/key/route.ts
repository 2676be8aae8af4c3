import { route } from "@/lib/api/route";
import { describeKey, lowerKeyLimits } from "@/lib/limits/describe-key";

export const GET = route("getKey", ({ principal }) => describeKey(principal));

export const PATCH = route("lowerLimits", ({ principal, body }) =>
  lowerKeyLimits(principal, body.limits),
);
