import { yamux } from '@libp2p/yamux';

/**
 * yamux that reads nothing before somebody takes its streams. Who dials may send whole requests in the packet that ends the handshake; of a stream that has
 * opened, carried data and closed before it is taken, the library (7.4.1 of its utilities) loses the data and resets it.
 */
export function patientYamux(): ReturnType<typeof yamux> {
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
        // Whoever listens may still be under construction.
        queueMicrotask(() => {
          if (stateOf(connection) === 'paused') connection.resume();
        });
      };
      return muxer;
    };
    return factory;
  };
}

/** What its interface leaves out: pausing what has ended throws. */
function stateOf(connection: object): 'readable' | 'paused' | 'closing' | 'closed' {
  return (connection as { readStatus: ReturnType<typeof stateOf> }).readStatus;
}
