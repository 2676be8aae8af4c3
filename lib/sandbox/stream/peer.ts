import "server-only";

/** The connection that a session of the stream belongs to. */
export interface Peer {
  send: (text: string) => void;
  close: () => void;
}

/** What a client that connected to a channel talks to. */
export interface StreamSession {
  /** Takes one frame, after the one before is dealt with. */
  receive: (text: string) => Promise<void>;
  /** The connection is gone. */
  close: () => void;
}

/** Several messages go as one frame, a single one by itself, as at the venue. */
export function sendMessages(peer: Peer, messages: readonly unknown[]): void {
  if (messages.length === 0) return;
  peer.send(JSON.stringify(messages.length === 1 ? messages[0] : messages));
}

/** A frame as JSON; undefined when it is none, which the venue does not mind either. */
export function parseFrame(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
