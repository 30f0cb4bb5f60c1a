import { bytesToHex } from '../../protocol/hex.ts';
import type { Spec } from '../spec/schema/types.ts';
import type { ClientTemplate } from '../template/template.ts';
import type { Hkdf } from './keys.ts';

/** Address of a server that web pages must not be able to guess. */
export interface HiddenPlace {
  /** A loopback address. */
  readonly host: string;
  readonly port: number;
}

/** Port name of a beacon template that serves L1 to all but its beacon node and the supervisor. */
export const GATE = 'gate';

/** Returns whether L1's public port is a gate in front of L1. A beacon template of the user may declare no gate. */
export function isGated({ l1 }: Spec, clients: ReadonlyMap<string, ClientTemplate>): boolean {
  return clients.get(l1.beacon.client)?.ports[GATE] !== undefined;
}

/** Range below the ephemeral ports of common systems. */
const FROM = 10_000;
const TO = 32_000;

/**
 * Derives the address and port of L1 behind its gate: 38 bits that a web page would have to guess.
 * The seed makes the address the same at each start. A secret of this machine goes in as well, because a seed is
 * public: specs that people share contain it.
 */
export function hiddenPlace(secret: Uint8Array, { name, seed }: Pick<Spec, 'name' | 'seed'>, hkdf: Hkdf): HiddenPlace {
  const encode = (text: string) => new TextEncoder().encode(text);
  const bytes = hkdf(secret, encode('rollup-devnet'), encode(JSON.stringify([seed, name, 'l1', 'place'])));
  const [a = 0, b = 0, c = 0] = bytes;
  // Avoids 127.0.0.0/16, which systems use themselves (127.0.0.53, 127.0.1.1), and .0 and .255.
  const host = `127.${1 + (a % 255)}.${b}.${1 + (c % 254)}`;
  return { host, port: FROM + Number(BigInt(bytesToHex(bytes.slice(3, 11))) % BigInt(TO - FROM)) };
}
