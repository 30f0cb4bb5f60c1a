import { BlockList, isIP, SocketAddress } from '../../../system/net/ip.ts';
import { ArgumentError } from './argument.ts';

/** A set of addresses in CIDR notation. */
export interface Subnet {
  /** Canonical text: the bits behind the prefix are zero. */
  readonly text: string;
  contains(address: string): boolean;
}

/** Parses `10.0.0.0/8` or `fd00::/8` (geth: `ParseNetlist`). @throws ArgumentError on any other text */
export function parseSubnet(text: string): Subnet {
  const [address = '', length, ...rest] = text.split('/');
  const family = isIP(address);
  const bits = /^\d+$/.test(length ?? '') ? Number(length) : Number.NaN;
  if (family === 0 || rest.length > 0 || !(bits <= (family === 4 ? 32 : 128)))
    throw new ArgumentError(`expected a subnet like 10.0.0.0/8, found ${JSON.stringify(text)}`);
  const base = masked(address, family, bits);
  const list = new BlockList();
  list.addSubnet(base, bits, family === 4 ? 'ipv4' : 'ipv6');
  return {
    text: `${base}/${bits}`,
    contains: (candidate) => list.check(candidate, isIP(candidate) === 6 ? 'ipv6' : 'ipv4'),
  };
}

/** Returns the shortest spelling of an address; IPv4-mapped IPv6 becomes IPv4. @throws ArgumentError on other text */
export function parseAddress(text: string): string {
  const family = isIP(text);
  if (family === 0) throw new ArgumentError(`expected an IP address, found ${JSON.stringify(text)}`);
  if (family === 4) return text;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  return /^::ffff:([\d.]+)$/.exec(address)?.[1] ?? address;
}

/** Clears all but the first bits of an address. */
function masked(address: string, family: number, bits: number): string {
  const width = family === 4 ? 8 : 16;
  const groups = family === 4 ? address.split('.').map(Number) : groupsOf(address);
  const prefix = groups.map((group, index) => {
    const free = Math.min(width, Math.max(0, (index + 1) * width - bits));
    return (group >> free) << free;
  });
  return family === 4
    ? prefix.join('.')
    : new SocketAddress({ address: prefix.map((group) => group.toString(16)).join(':'), family: 'ipv6' }).address;
}

/** Splits an IPv6 address into its eight groups. */
function groupsOf(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const group = (high = '', low = '') => ((Number(high) << 8) | Number(low)).toString(16);
  const plain = dotted ? `${dotted[1]}${group(dotted[2], dotted[3])}:${group(dotted[4], dotted[5])}` : address;
  const [head = '', tail] = plain.split('::');
  const parts = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const [first, last] = [parts(head), parts(tail ?? '')];
  return [...first, ...Array(8 - first.length - last.length).fill(0), ...last];
}
