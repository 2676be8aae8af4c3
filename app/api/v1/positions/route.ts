import { route } from "@/lib/api/route";
import { encodePortfolio } from "@/lib/portfolio/encode-portfolio";

export const GET = route(
  "listPositions",
  ({ principal }) => encodePortfolio(principal),
  "paper account and prices",
);
