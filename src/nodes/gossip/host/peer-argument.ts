import type { PeerId } from '@libp2p/interface';
import { peerIdFromString } from '@libp2p/peer-id';
import { type Multiaddr, multiaddr } from '@multiformats/multiaddr';
import { ArgumentError } from './argument.ts';

/** Reads a peer id. @throws ArgumentError */
export function readPeerId(text: string): PeerId {
  try {
    return peerIdFromString(text);
  } catch (cause) {
    throw new ArgumentError(`expected a peer id, found ${JSON.stringify(text)}`, cause);
  }
}

/**
 * Reads the multiaddr of a peer, which ends with `/p2p/<peer id>` (op-node: `AddrInfoFromString` of libp2p).
 * @throws ArgumentError
 */
export function readPeerAddress(text: string): Multiaddr {
  try {
    const address = multiaddr(text);
    if (address.getComponents().some(({ name }) => name === 'p2p')) return address;
  } catch (cause) {
    throw new ArgumentError(`bad peer address: ${JSON.stringify(text)} is not a multiaddr`, cause);
  }
  throw new ArgumentError(`bad peer address: ${text} ends with no /p2p/<peer id>`);
}
