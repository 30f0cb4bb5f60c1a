/**
 * The `opstack` entry of a node record (op-node: `OpStackENRData`, kona: `OpStackEnr`).
 * Specification: rollup node p2p, discv5.
 */
export interface OpStackEntry {
  readonly chainId: number;
  readonly version: number;
}

/** Name of the entry. */
export const OPSTACK = 'opstack';

/** Encodes the entry: two unsigned varints. */
export function encodeOpStack({ chainId, version }: OpStackEntry): Uint8Array {
  return Uint8Array.from([...varint(chainId), ...varint(version)]);
}

/** Decodes the entry; undefined for malformed bytes. */
export function decodeOpStack(bytes: Uint8Array): OpStackEntry | undefined {
  const numbers: number[] = [];
  for (let value = 0, factor = 1, at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * factor;
    factor *= 128;
    if (!Number.isSafeInteger(value) || factor > 2 ** 56) return undefined;
    if (byte & 0x80) continue;
    numbers.push(value);
    [value, factor] = [0, 1];
  }
  const [chainId, version] = numbers;
  const isWhole = ((bytes.at(-1) ?? 0x80) & 0x80) === 0;
  return isWhole && chainId !== undefined && version !== undefined ? { chainId, version } : undefined;
}

function varint(number: number): number[] {
  const bytes: number[] = [];
  let rest = number;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return [...bytes, rest];
}
