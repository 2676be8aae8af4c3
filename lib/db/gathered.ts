import "server-only";

/** A load that takes longer holds up nobody else. */
const PATIENCE_MS = 50;

type LoadAll<Key, Value> = (keys: readonly Key[]) => Promise<readonly Value[]>;

/**
 * Makes one load of all that is asked for while another one is under way, so that requests that come
 * in together share a round trip. A load begins after the last of them has asked, and so shows each
 * what was committed before. Who asks together also fails together.
 *
 * @param loadAll gives a value for each key, in the order of the keys.
 */
export function gathered<Key, Value>(loadAll: LoadAll<Key, Value>): (key: Key) => Promise<Value> {
  let underWay: Promise<unknown> = Promise.resolve();
  let waiting: { keys: Key[]; loaded: Promise<readonly Value[]> } | null = null;

  const gather = () => {
    const keys: Key[] = [];
    const loaded = underWay.then(nextTurn).then(() => {
      waiting = null;
      const load = loadAll(keys);
      underWay = settledOrLate(load);
      return load;
    });
    return { keys, loaded };
  };
  return async (key) => {
    waiting ??= gather();
    const { keys, loaded } = waiting;
    const index = keys.push(key) - 1;
    const value = (await loaded)[index];
    if (value === undefined) throw new Error("a load gives a value for each key");
    return value;
  };
}

/** After everything that has arrived by now was seen to. */
const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

function settledOrLate(load: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, PATIENCE_MS);
    const settle = () => {
      clearTimeout(late);
      resolve();
    };
    load.then(settle, settle);
  });
}
