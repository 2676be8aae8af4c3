import "server-only";

/** The connection of a stream session. */
export interface Peer {
  send: (text: string) => void;
  close: () => void;
}

/** One client's subscription to a channel. */
export interface StreamSession {
  /** Handles one frame. Frames are handled one after the other. */
  receive: (text: string) => Promise<void>;
  /** Ends the session after its connection closed. */
  close: () => void;
}

/** Sends messages as one frame: a single one as an object, several as an array, like the venue. */
export function sendMessages(peer: Peer, messages: readonly unknown[]): void {
  if (messages.length === 0) return;
  peer.send(JSON.stringify(messages.length === 1 ? messages[0] : messages));
}

/** Parses a frame; undefined if it is not JSON, which the venue ignores too. */
export function parseFrame(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
