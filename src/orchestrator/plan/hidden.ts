import { bytesToHex } from '../../protocol/hex.ts';
import type { Spec } from '../spec/spec.ts';
import type { ClientTemplate } from '../template/template.ts';
import type { Hkdf } from './keys.ts';

/** Where a server listens that web pages must not find. */
export interface HiddenPlace {
  /** A loopback address. */
  readonly host: string;
  readonly port: number;
}

/** Port name of a beacon template that serves L1 publicly. The network's own processes use anvil directly. */
export const GATE = 'gate';

/** Whether L1's public port is a gate, with L1 itself hidden behind it. A beacon of the user's may have none. */
export function isGated({ l1 }: Spec, clients: ReadonlyMap<string, ClientTemplate>): boolean {
  return clients.get(l1.beacon.client)?.ports[GATE] !== undefined;
}

/** Below where systems take the ports of outgoing connections from. */
const FROM = 10_000;
const TO = 32_000;

/**
 * Where L1 listens behind its gate: an address of 127.0.0.0/8 and a port, together 38 bits that a page would have to try.
 * They derive from the seed, so that a devnet's place is the same at each start, and from a secret of this machine: the seed alone is public, as
 * it stands in specs that people share, and a page that knows it must not know the place.
 */
export function hiddenPlace(secret: Uint8Array, { name, seed }: Pick<Spec, 'name' | 'seed'>, hkdf: Hkdf): HiddenPlace {
  const encode = (text: string) => new TextEncoder().encode(text);
  const bytes = hkdf(secret, encode('rollup-devnet'), encode(JSON.stringify([seed, name, 'l1', 'place'])));
  const [a = 0, b = 0, c = 0] = bytes;
  // Apart from 127.0.0.0/16, where systems have addresses of their own (127.0.0.53, 127.0.1.1), and from .0 and .255.
  const host = `127.${1 + (a % 255)}.${b}.${1 + (c % 254)}`;
  return { host, port: FROM + Number(BigInt(bytesToHex(bytes.slice(3, 11))) % BigInt(TO - FROM)) };
}
