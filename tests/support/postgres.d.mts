export function startPostgres(): Promise<{ url: string; stop: () => Promise<void> }>;
export function freePort(): Promise<number>;
