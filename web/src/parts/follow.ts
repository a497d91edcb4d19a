// Streams a board's changes. The script that does it is loaded when it is needed.
import { transport, type ClientOptions } from "../../../sdk/js/src/transport.ts";
import type { BoardOptions } from "./board.ts";

/** follow makes the stream of a board, for the API of a client's options. */
export function follow(options: ClientOptions): NonNullable<BoardOptions["stream"]> {
  const { open } = transport(options);
  return async function* ({ mode, period, scope, limit }, signal) {
    const { stream } = await import("../../../sdk/js/src/stream.js");
    return yield* stream(open, mode, { period, scope, limit } as never, signal);
  };
}
