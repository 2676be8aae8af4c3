export interface Pgbouncer {
  url: string;
  stop: () => Promise<void>;
}

export function hasPgbouncer(): boolean;
export function startPgbouncer(postgresUrl: string): Promise<Pgbouncer>;
