import type { EquivalentMutant } from './equivalent.ts';

/** Equivalent mutants of `src/protocol`, without its rules, its derivation and its genesis. */
export const PROTOCOL: Readonly<Record<string, readonly EquivalentMutant[]>> = {
  'src/protocol/bytes.ts': [
    ...['Number.isSafeInteger(value) ⇒ false', 'LOOP ⇒ {}'].map((change) => ({
      line: 'if (Number.isSafeInteger(value)) {',
      change: change.replace(
        'LOOP',
        '{ let rest = Number(value); for (let at = size - 1; rest > 0 && at >= 0; rest = Math.floor(rest / 256)) ' +
          'bytes[at--] = rest % 256; if (rest > 0) throw outOfRange(value, size); return bytes; }',
      ),
      reason: 'the lines after it do the same by a bigint, which takes longer',
    })),
    ...['rest > 0 ⇒ true', 'rest > 0 ⇒ rest >= 0'].map((change) => ({
      line: 'for (let at = size - 1; rest > 0 && at >= 0; rest = Math.floor(rest / 256)) bytes[at--] = rest % 256;',
      change,
      reason: 'the bytes are zero already',
    })),
    {
      line: 'for (let at = 0, to = size - least.length; to < size; at++, to++) bytes[to] = byteAt(least, at);',
      change: 'to < size ⇒ to <= size',
      reason: 'a write behind the end has no effect',
    },
    ...[
      'rest > 0n && at > 0 ⇒ false',
      'rest > 0n ⇒ true',
      'rest > 0n ⇒ rest >= 0n',
      'rest > 0n ⇒ rest <= 0n',
      'at > 0 ⇒ at <= 0',
      'rest >>= 64n ⇒ rest <<= 64n',
    ].map((change) => ({
      line: 'for (; rest > 0n && at > 0; rest >>= 64n) {',
      change,
      reason: 'zeros on top are skipped, and an integer with a rest is encoded digit by digit, which takes longer',
    })),
    ...['at < LIMBS.length ⇒ true', 'at < LIMBS.length ⇒ at <= LIMBS.length'].map((change) => ({
      line: 'while (at < LIMBS.length && LIMBS[at] === 0) at++;',
      change,
      reason: 'no byte stands behind the end',
    })),
    ...['at < bytes.length ⇒ true', 'at < bytes.length ⇒ at <= bytes.length'].map((change) => ({
      line: 'while (at < bytes.length && bytes[at] === 0) at += 1;',
      change,
      reason: 'no byte stands behind the end',
    })),
    {
      line: 'value = end === first ? BigInt(part) : (value << 48n) | BigInt(part);',
      change: 'end === first ⇒ false',
      reason: 'the first part follows zero',
    },
    {
      line: 'const shared = Math.min(left.length, right.length);',
      change: 'Math.min(left.length, right.length) ⇒ Math.max(left.length, right.length)',
      reason: 'a byte behind the end counts as 0, which is above none: the longer one is larger either way',
    },
    {
      line: 'for (let at = 0; at < shared; at++) {',
      change: 'at < shared ⇒ at <= shared',
      reason: 'a byte behind the end counts as 0, which is above none: the longer one is larger either way',
    },
  ],
  'src/protocol/codec/blob.ts': [
    {
      line: 'for (let element = round === 0 ? 1 : 0; element < 4; element++) {',
      change: 'element < 4 ⇒ element <= 4',
      reason: 'the fifth element is the first one of the next round, which is checked next',
    },
  ],
  'src/protocol/codec/channel.ts': [
    {
      line: 'if (first === undefined) return null;',
      change: 'first === undefined ⇒ false',
      reason: 'undefined has no bits of a method, and is no version',
    },
  ],
  'src/protocol/codec/payload-header.ts': [
    {
      line: "if (rule === 'list') return { withdrawalsRoot: withdrawalsRoot(payload.withdrawals ?? []) };",
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'a payload without the list was refused before',
    },
    {
      line: "const root = rule === 'message-passer' ? payload.withdrawalsRoot : undefined;",
      change: "rule === 'message-passer' ⇒ true",
      reason: 'a payload that has a root under other rules was refused before',
    },
  ],
  'src/protocol/codec/receipt.ts': [
    {
      line: 'const bloom = receipt.logs.length === 0 ? EMPTY_BLOOM : logsBloom(receipt.logs, memory);',
      change: 'receipt.logs.length === 0 ⇒ false',
      reason: 'the bloom of no logs is empty, too: the check saves time',
    },
    ...['bloom !== EMPTY_BLOOM ⇒ true', 'at < BLOOM_BYTES ⇒ at <= BLOOM_BYTES'].map((change) => ({
      line:
        'if (bloom !== EMPTY_BLOOM) for (let at = 0; at < BLOOM_BYTES; at++) ' +
        'setBits(whole, at, byteAt(bloom, at));',
      change,
      reason: 'a byte of zero sets no bits, and no byte stands behind the end',
    })),
    ...[
      { line: 'if (bits === undefined) {', change: 'bits === undefined ⇒ true' },
      { line: 'memory.set(value, bits);', change: 'memory.set(value, bits); ⇒ ;' },
    ].map((each) => ({ ...each, reason: 'the bits of a value are computed again, which takes longer' })),
  ],
  'src/protocol/codec/rlp.ts': [
    ...[
      'value === 0 || value === 0n ⇒ false',
      'value === 0 || value === 0n ⇒ value === 0 && value === 0n',
      'value === 0 ⇒ false',
      'value === 0n ⇒ false',
    ].map((change) => ({
      line: 'if (value === 0 || value === 0n) return EMPTY;',
      change,
      reason: 'the bytes of zero are none either way',
    })),
    ...['false', 'value < Number.MAX_SAFE_INTEGER'].map((becomes) => ({
      line: 'return value <= Number.MAX_SAFE_INTEGER ? smallUint(Number(value)) : bigIntBytes(BigInt(value));',
      change: `value <= Number.MAX_SAFE_INTEGER ⇒ ${becomes}`,
      reason: 'the detour by a bigint has the same bytes, and takes longer',
    })),
    {
      line: 'length < 56 ? 1 : length < 0x100 ? 2 : length < 0x10000 ? 3 : prefix(length, 0x80).length;',
      change: 'length < 0x10000 ⇒ false',
      reason: 'the head itself is as long',
    },
    ...['true', 'false', 'length >= SHORT_COPY', 'length <= SHORT_COPY'].map((becomes) => ({
      line: 'if (length > SHORT_COPY) this.#bytes.set(part, this.#at);',
      change: `length > SHORT_COPY ⇒ ${becomes}`,
      reason: 'the loop and the call copy the same bytes, one faster short and one faster long parts',
    })),
    {
      line: 'else for (let at = 0; at < length; at++) this.#bytes[this.#at + at] = byteAt(part, at);',
      change: 'at < length ⇒ at <= length',
      reason: 'the next part is written over the byte behind this one, and a write behind the end has no effect',
    },
    {
      line: 'if (length < 0x10000) return Uint8Array.of(base + 57, length >> 8, length & 0xff);',
      change: 'length < 0x10000 ⇒ false',
      reason: 'the head of any length is the same, and takes longer',
    },
    ...[
      'offset >= limit || first === undefined ⇒ offset >= limit && first === undefined',
      'offset >= limit ⇒ false',
      'offset >= limit ⇒ offset > limit',
      'first === undefined ⇒ false',
    ].map((change) => ({
      line: "if (offset >= limit || first === undefined) throw rlpError(offset, 'expected an item, found the end');",
      change,
      reason: 'the limit is the end of the bytes, or lies behind the offset: both conditions hold together',
    })),
    ...[
      'start + size > limit ⇒ false',
      'start + size > limit ⇒ start + size >= limit',
      'start + size ⇒ start - size',
    ].map((change) => ({
      line: "if (start + size > limit) throw rlpError(offset, 'length of the item is cut off');",
      change,
      reason: 'an item of 56 bytes or more reaches past the end, too, and is refused for the same byte',
    })),
  ],
  'src/protocol/codec/span/batch.ts': [
    {
      line: 'const epochs: number[] = [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'each epoch is set by its index',
    },
    {
      line: 'for (let block = raw.originBits.length - 1, epoch = raw.l1OriginNum; block >= 0; block--) {',
      change: 'raw.originBits.length - 1 ⇒ raw.originBits.length + 1',
      reason: 'a block behind the last one has no bit that changes the epoch, and none reads its epoch',
    },
    ...[
      'first === undefined || last === undefined ⇒ first === undefined && last === undefined',
      'first === undefined ⇒ false',
      'last === undefined ⇒ false',
    ].map((change) => ({
      line:
        'if (first === undefined || last === undefined) ' +
        "throw spanError('block_count', 'expected at least one block');",
      change,
      reason: 'a list has a first one and a last one, or neither',
    })),
  ],
  'src/protocol/codec/span/reader.ts': [
    {
      line: "if (byte === undefined) throw spanError(field, 'expected a byte, found the end');",
      change: 'byte === undefined ⇒ false',
      reason: 'what is not there is read as bytes that go on, and is refused for the same field after ten of them',
    },
  ],
  'src/protocol/codec/span/transactions.ts': [
    ...[
      'if (type === undefined || !isSignedType(type)) ' +
        "throw spanError('tx_datas', `transaction of unknown type ${type}`);",
      'if (type === undefined || !isSignedType(type))',
    ].map((line) => ({
      line,
      change: 'type === undefined ⇒ false',
      reason: 'no type is none of those that are signed',
    })),
    {
      line: "to: asBytes(fields.to, 'to'),",
      change: `'to' ⇒ ""`,
      reason: 'the recipient was read as bytes before, and refused by its name',
    },
  ],
  'src/protocol/codec/trie.ts': [
    {
      line: 'for (let index = 0x80; index < items.length; index++) add(index);',
      change: 'index < items.length ⇒ index <= items.length',
      reason: 'no item stands behind the end',
    },
    ...['true', 'scratch.length <= head.length + size'].map((becomes) => ({
      line: 'if (scratch.length < head.length + size) scratch = new Uint8Array(2 * (head.length + size));',
      change: `scratch.length < head.length + size ⇒ ${becomes}`,
      reason: 'a new buffer is large enough for the node, too',
    })),
    {
      line: 'if (to - from === 1) return encodeLeaf(head, depth);',
      change: 'to - from ⇒ to + from',
      reason: 'only the root is asked for one entry: a branch encodes its leaves itself',
    },
    {
      line: 'const odd = (to - from) % 2;',
      change: 'to - from ⇒ to + from',
      reason: 'sum and difference are odd together',
    },
    {
      line: "return node(isItself ? [path, value] : [path, rlpHead(value.length, 'string'), value]);",
      change: `'string' ⇒ ""`,
      reason: 'whatever is no list is a string',
    },
    ...['at === start + 1 ⇒ false', 'start + 1 ⇒ start - 1'].map((change) => ({
      line: 'else if (at === start + 1) items.push(reference(encodeLeaf(entryAt(entries, start), depth + 1)));',
      change,
      reason: 'the node over one entry is its leaf: the line saves a generator',
    })),
    {
      line: 'for (let at = 1, source = from + odd; at < path.length; at++, source += 2) {',
      change: 'at < path.length ⇒ at <= path.length',
      reason: 'a write behind the end has no effect',
    },
  ],
  'src/protocol/hex.ts': [
    {
      line: 'for (let at = 0; at < length; at++) TEXT_PAIRS[at + 1] = ASCII_PAIRS[bytes[at] ?? 0] ?? 0;',
      change: 'at < length ⇒ at <= length',
      reason: 'the pair behind the text is not read',
    },
    ...[
      'native && bytes.length <= SHORT_BYTES ⇒ false',
      'bytes.length <= SHORT_BYTES ⇒ bytes.length < SHORT_BYTES',
    ].map((change) => ({
      line: 'if (native && bytes.length <= SHORT_BYTES) return shortHex(bytes, native);',
      change,
      reason: 'the runtime has the same text, and takes longer for short ones',
    })),
    {
      line: "if (native) return `0x${native.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`;",
      change: 'native ⇒ false',
      reason: 'the loop has the same text, and takes longer for long ones',
    },
    {
      line: 'for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {',
      change: 'start < bytes.length ⇒ start <= bytes.length',
      reason: 'a chunk behind the end is empty',
    },
    {
      line: 'if (code >= 48 && code <= 57) return code - 48;',
      change: 'code >= 48 ⇒ true',
      reason: 'a character below 0 has a negative value, as every other one that is no digit',
    },
    ...[
      'native && length >= MIN_NATIVE_BYTES ⇒ false',
      'length >= MIN_NATIVE_BYTES ⇒ true',
      'length >= MIN_NATIVE_BYTES ⇒ length > MIN_NATIVE_BYTES',
      'length >= MIN_NATIVE_BYTES ⇒ length < MIN_NATIVE_BYTES',
      '{ // `write` stops at the first character that is no hex digit. ' +
        "if (native.from(bytes.buffer, 0, length).write(hex.slice(2), 'hex') !== length) " +
        "throw malformed(hex, 'hex digits'); return bytes; } ⇒ {}",
    ].map((change) => ({
      line: 'if (native && length >= MIN_NATIVE_BYTES) {',
      change,
      reason: 'the loop and the runtime read the same digits, one faster short and one faster long texts',
    })),
    {
      line: 'return left === right || left.toLowerCase() === right.toLowerCase();',
      change: 'left === right ⇒ false',
      reason: 'equal texts are equal in lower case',
    },
  ],
};
