import { yamux } from '@libp2p/yamux';

/**
 * Creates yamux muxers that read nothing before a listener takes their streams (op-node: `YamuxC`).
 * A dialling peer may send whole requests in the packet that ends the handshake. The library (7.4.1 of its utilities)
 * resets a stream that opened, carried data and closed before a listener existed, and loses the data.
 */
export function yamuxWithBackpressure(): ReturnType<typeof yamux> {
  const create = yamux();
  return () => {
    const factory = create();
    const createMuxer = factory.createStreamMuxer.bind(factory);
    factory.createStreamMuxer = (connection) => {
      const muxer = createMuxer(connection);
      if (stateOf(connection) === 'readable') connection.pause();
      const listen = muxer.addEventListener;
      muxer.addEventListener = (...listener: Parameters<typeof listen>) => {
        listen.apply(muxer, listener);
        if (listener[0] !== 'stream') return;
        muxer.addEventListener = listen;
        // The listener may still be under construction.
        queueMicrotask(() => {
          if (stateOf(connection) === 'paused') connection.resume();
        });
      };
      return muxer;
    };
    return factory;
  };
}

/** Reads a field that the interface omits: pausing an ended connection throws. */
function stateOf(connection: object): 'readable' | 'paused' | 'closing' | 'closed' {
  return (connection as { readStatus: ReturnType<typeof stateOf> }).readStatus;
}
