import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { CancelAllText } from "@/components/orders/cancel-all-text";
import { PortfolioTabs } from "@/components/portfolio/portfolio-tabs";

const readText = (markup: string) => markup.replace(/<[^>]+>|•/g, "");

it("the question before all orders are canceled says how many of them wait for approval", () => {
  const render = (waiting: number) =>
    readText(
      renderToStaticMarkup(
        createElement(CancelAllText, { totals: { count: 5, waiting, buys: 12.5, sells: 0 } }),
      ),
    );
  expect(render(2)).toMatch(/^5 orders, 2 waiting for approval: \$12\.50 in buys\./);
  expect(render(0)).toMatch(/^\$12\.50 in buys\./);
});

it("the portfolio's tab says how many of the open orders wait for approval", () => {
  const view = { text: "", sort: "value", isDescending: true, page: 1 } as const;
  const render = (waitingOrders: number) =>
    readText(
      renderToStaticMarkup(
        createElement(PortfolioTabs, {
          current: "positions",
          positions: 1,
          openOrders: 5,
          waitingOrders,
          closed: 0,
          view,
          range: "1d",
        }),
      ),
    );
  expect(render(2)).toContain("Open orders5, 2 waiting for approval");
  expect(render(0)).not.toContain("waiting");
});
