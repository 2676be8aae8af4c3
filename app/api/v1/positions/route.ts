import { route } from "@/lib/api/route";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";

export const GET = route(
  "listPositions",
  ({ principal }) => getPortfolio(principal),
  "paper account and prices",
);
