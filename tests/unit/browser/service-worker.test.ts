import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { beforeEach, expect, it } from "vitest";

const ORIGIN = "https://ante.shop.com";

interface Tab {
  url: string;
  focus: () => Promise<void>;
}
type Listener = (event: object) => void;

let listeners: Map<string, Listener>;
let shown: [string, object][];
let opened: string[];
let focused: string[];
let tabs: Tab[];

beforeEach(() => {
  [listeners, shown, opened, focused, tabs] = [new Map(), [], [], [], []];
  const self = {
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
    location: { origin: ORIGIN },
    registration: {
      showNotification: async (title: string, options: object) => void shown.push([title, options]),
    },
    clients: {
      matchAll: async () => tabs,
      openWindow: async (url: string) => void opened.push(url),
    },
  };
  runInContext(readFileSync("public/sw.js", "utf8"), createContext({ self, URL }));
});

const makeTab = (path: string): Tab => {
  const url = `${ORIGIN}${path}`;
  return { url, focus: async () => void focused.push(url) };
};

/** Runs the worker's listener and waits for its work. */
async function dispatch(type: string, event: object): Promise<void> {
  let work: Promise<unknown> = Promise.reject(new Error("the worker must wait for its work"));
  work.catch(() => undefined);
  listeners.get(type)?.({ ...event, waitUntil: (given: Promise<unknown>) => (work = given) });
  await work;
}

const click = (href: string) => {
  const notification = { close: () => undefined, data: { href } };
  return dispatch("notificationclick", { notification });
};

it("a message is shown with its tag, so that a repeat replaces it", async () => {
  const message = { title: "Bought Yes", body: "A market", href: "/orders/ord_1", tag: "paper-7" };
  await dispatch("push", { data: { json: () => message } });
  expect(shown).toEqual([
    [
      "Bought Yes",
      {
        body: "A market",
        tag: "paper-7",
        icon: "/brand/icon-192.png",
        data: { href: "/orders/ord_1" },
      },
    ],
  ]);
});

it("a click shows the tab that has the page open", async () => {
  tabs = [makeTab("/"), makeTab("/orders/ord_1")];
  await click("/orders/ord_1");
  expect([focused, opened]).toEqual([[`${ORIGIN}/orders/ord_1`], []]);
});

it("a click opens the page if no tab has it, and leaves other tabs alone", async () => {
  tabs = [makeTab("/trade")];
  await click("/orders/ord_1");
  expect([focused, opened]).toEqual([[], [`${ORIGIN}/orders/ord_1`]]);
});

it.each(["https://elsewhere.com/", "//elsewhere.com/", "javascript:alert(1)"])(
  "a click never leads to %s",
  async (href) => {
    tabs = [makeTab("/")];
    await click(href);
    expect([focused, opened]).toEqual([[], []]);
  },
);

it("the worker listens to nothing else, so it never answers a request", () => {
  expect([...listeners.keys()]).toEqual(["push", "notificationclick"]);
});
