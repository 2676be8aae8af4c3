import { expect } from "vitest";
import type { z } from "zod";
import { Failure } from "@/lib/schemas/envelope";
import { Acknowledgement, OrderRecord } from "@/lib/schemas/orders";
import { type ApiAnswer, type ApiRequest, callApi } from "@/tests/support/api/call-api";

/** Returns the data of a 200, parsed with the operation's strict schema. */
export function readData<S extends z.ZodType>(schema: S, answer: ApiAnswer): z.output<S> {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(Object.keys(answer.body)).toEqual(["ok", "data"]);
  expect(answer.body.ok).toBe(true);
  return schema.parse(answer.body.data);
}

/** Returns the error of a failure envelope. */
export function readError(answer: ApiAnswer): z.output<typeof Failure>["error"] {
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  return Failure.parse(answer.body).error;
}

/** Reads a path with GET and returns the data. */
export async function read<S extends z.ZodType>(
  schema: S,
  path: string,
  key: string,
): Promise<z.output<S>> {
  return readData(schema, await callApi("GET", path, { key }));
}

export type Ack = z.output<typeof Acknowledgement>;
export type PlacedOrder = z.output<typeof OrderRecord>;

/** Places an order that must be accepted. */
export async function place(
  key: string,
  body: unknown,
  headers: ApiRequest["headers"] = {},
): Promise<Ack> {
  return readData(Acknowledgement, await callApi("POST", "/v1/orders", { key, body, headers }));
}

export function readOrder(key: string, id: string): Promise<PlacedOrder> {
  return read(OrderRecord, `/v1/orders/${id}`, key);
}

/** Places an order that must be accepted, and reads its record. */
export async function placeAndRead(key: string, body: unknown): Promise<PlacedOrder> {
  return readOrder(key, (await place(key, body)).orderId);
}

export async function cancel(key: string, id: string): Promise<PlacedOrder> {
  return readData(OrderRecord, await callApi("DELETE", `/v1/orders/${id}`, { key }));
}
