import { BlockList, isIP } from '../../system/ip.ts';

/** A set of addresses in CIDR notation. */
export interface Subnet {
  readonly text: string;
  contains(address: string): boolean;
}

/** Parses `10.0.0.0/8` or `fd00::/8`. @throws Error where it is neither */
export function parseSubnet(text: string): Subnet {
  const [address = '', length, ...rest] = text.split('/');
  const family = isIP(address);
  const bits = /^\d+$/.test(length ?? '') ? Number(length) : Number.NaN;
  if (family === 0 || rest.length > 0 || !(bits <= (family === 4 ? 32 : 128)))
    throw new Error(`expected a subnet like 10.0.0.0/8, found ${JSON.stringify(text)}`);
  const list = new BlockList();
  list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  return {
    text,
    contains: (candidate) => list.check(candidate, isIP(candidate) === 6 ? 'ipv6' : 'ipv4'),
  };
}

/** The address in its own words. @throws Error where it is no IP address */
export function parseAddress(text: string): string {
  if (isIP(text) === 0) throw new Error(`expected an IP address, found ${JSON.stringify(text)}`);
  return text;
}
