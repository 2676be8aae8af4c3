/** Leaves out what an optional argument doesn't have. */
export function omitUndefined<T extends object>(
  value: T,
): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof T]: Exclude<T[Name], undefined> };
}
