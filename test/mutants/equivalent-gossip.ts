import type { EquivalentMutant } from './equivalent.ts';

const NAN = 'the group is NaN, which is 0 when it is shifted';
const FIRST = 'a split text has a first part';
const COPY = 'if (distance >= length) output.copyWithin(position, position - distance, position - distance + length);';
const LATER = 'later elements write the bytes behind a copy';

/** Equivalent mutants of `src/nodes/gossip`. */
export const GOSSIP: Readonly<Record<string, readonly EquivalentMutant[]>> = {
  'src/nodes/gossip/host/gater.ts': [
    {
      line: 'const allowsPeer = (id: string | undefined) => id === undefined || !(peers.has(id) || bans.isBanned(id));',
      change: 'id === undefined ⇒ false',
      reason: 'no list has a peer without an id',
    },
  ],
  'src/nodes/gossip/host/subnet.ts': [
    {
      line: "const [address = '', length, ...rest] = text.split('/');",
      change: `'' ⇒ "Stryker was here!"`,
      reason: FIRST,
    },
    {
      line: "const bits = /^\\d+$/.test(length ?? '') ? Number(length) : Number.NaN;",
      change: '/^\\d+$/ ⇒ /^\\d+/',
      reason: 'digits before other text are no number',
    },
    {
      line: "const bits = /^\\d+$/.test(length ?? '') ? Number(length) : Number.NaN;",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'neither has digits alone',
    },
    {
      line: 'const dotted = /^(.*:)(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)$/.exec(address);',
      change: '/^(.*:)(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)$/ ⇒ /(.*:)(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)$/',
      reason: 'the first group takes all that is before it',
    },
    {
      line: 'const dotted = /^(.*:)(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)$/.exec(address);',
      change: '/^(.*:)(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)$/ ⇒ /^(.*:)(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)/',
      reason: 'an IPv6 address ends with its dotted part',
    },
    {
      line: "const group = (high = '', low = '') => ((Number(high) << 8) | Number(low)).toString(16);",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'the expression has matched all its groups',
    },
    { line: "const [head = '', tail] = plain.split('::');", change: `'' ⇒ "Stryker was here!"`, reason: FIRST },
    {
      line:
        'const parts = (text: string) => ' +
        "(text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));",
      change: "text === '' ⇒ false",
      reason: NAN,
    },
    {
      line:
        'const parts = (text: string) => ' +
        "(text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));",
      change: `'' ⇒ "Stryker was here!"`,
      reason: NAN,
    },
    {
      line:
        'const parts = (text: string) => ' +
        "(text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));",
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'a text is 0 when it is shifted',
    },
  ],
  'src/nodes/gossip/message/signature.ts': [
    {
      line: 'if (signature.length !== SIGNATURE_SIZE || parity === undefined || parity > 1) return undefined;',
      change: 'parity === undefined ⇒ false',
      reason: 'a signature of this size has its last byte',
    },
    {
      line: '} catch {',
      change: '{ return undefined; } ⇒ {}',
      reason: 'a function without a return value returns undefined',
    },
  ],
  'src/nodes/gossip/message/snappy-block.ts': [
    ...['position + length > output.length ⇒ false', 'position + length ⇒ position - length'].map((change) => ({
      line: 'if (distance === 0 || distance > position || position + length > output.length) return undefined;',
      change,
      reason: 'what is longer than the output is refused at the end',
    })),
    ...['distance >= length ⇒ false', 'distance >= length ⇒ distance > length'].map((change) => ({
      line: COPY,
      change,
      reason: 'the loop copies the same bytes, slower',
    })),
    { line: COPY, change: 'position - distance ⇒ position + distance', reason: LATER },
    {
      line:
        'for (let index = 0; index < length; index++) ' +
        'output[position + index] = output[position + index - distance] ?? 0;',
      change: 'index < length ⇒ index <= length',
      reason: LATER,
    },
    ...['length < 2 ** 32 ⇒ true', 'length < 2 ** 32 ⇒ length <= 2 ** 32'].map((change) => ({
      line: 'if (byte < 0x80) return length < 2 ** 32 ? { length, size: size + 1 } : undefined;',
      change,
      reason: 'the limit of bytes refuses it, too',
    })),
  ],
  'src/nodes/gossip/message/snappy.ts': [
    {
      line: 'head.writeUInt8(CHUNK.compressed, 0);',
      change: 'head.writeUInt8(CHUNK.compressed, 0); ⇒ ;',
      reason: 'the byte is 0 already',
    },
  ],
  'src/nodes/gossip/peers/peer-info.ts': [
    {
      line: "scores: { gossip: gossipScores(undefined, ''), reqResp: NO_REQ_RESP_SCORES },",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'without gossipsub no score is looked up by an id',
    },
    {
      line: 'IPColocationFactor: score ? colocation(score, stats?.knownIPs ?? []) : 0,',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'no peer is at an address of this text, which adds 0',
    },
  ],
};
