import { refused } from "@/lib/http/refused";
import { route } from "@/lib/http/route";
import { getPortfolio } from "@/lib/services/portfolio/get-portfolio";

export const GET = route(
  "listPositions",
  ({ principal }) => getPortfolio(principal),
  "account and prices",
);

export const { HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = refused;
