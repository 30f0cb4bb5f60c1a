import { tcp } from '@libp2p/tcp';
import { type ListenOptions, listenTcp, type Server } from '../../../system/net/listen.ts';

/** Creates libp2p's TCP transport with listeners that skip the DNS lookup of an IPv4 address. */
export function tcpTransport(): ReturnType<typeof tcp> {
  const create = tcp({ dialOpts: { noDelay: true }, listenOpts: { noDelay: true } });
  return (components) => {
    const transport = create(components);
    const createListener = transport.createListener.bind(transport);
    transport.createListener = (options) => {
      const listener = createListener(options);
      const { server } = listener as unknown as { readonly server: Server };
      const { listen } = server;
      const directly = (at: ListenOptions, listening: () => void) => {
        server.listen = listen;
        listenTcp(server, at, listening);
        return server;
      };
      server.listen = directly as Server['listen'];
      return listener;
    };
    return transport;
  };
}
