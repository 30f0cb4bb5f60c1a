import type { EquivalentMutant } from './equivalent.ts';

type Equivalents = Readonly<Record<string, readonly EquivalentMutant[]>>;

/** Equivalent mutants of `src/protocol/derivation`. */
export const DERIVATION: Equivalents = {
  'src/protocol/derivation/alt-da/challenge-log.ts': [
    {
      line: 'if (log.topics.length !== 2 || number === undefined) return null;',
      change: 'number === undefined ⇒ false',
      reason: 'the second of two topics is there',
    },
    {
      line: 'if (status === undefined || encoded === null) return null;',
      change: 'encoded === null ⇒ false',
      reason: 'what cannot be decoded returns null as well',
    },
  ],
  'src/protocol/derivation/alt-da/challenges.ts': [
    {
      line: 'if (pending.every((tracked) => tracked.key !== key)) pending.push({ key, inclusion });',
      change: 'pending.every((tracked) => tracked.key !== key) ⇒ true',
      reason: 'a commitment that is there twice is settled and dropped twice at one time',
    },
    {
      line: 'if (pending.every((tracked) => tracked.key !== key)) pending.push({ key, inclusion });',
      change: 'tracked.key !== key ⇒ true',
      reason: 'a commitment that is there twice is settled and dropped twice at one time',
    },
  ],
  'src/protocol/derivation/attributes/l1-info.ts': [
    {
      line: 'const scalars = packed ? decodeScalars(config.scalar) : { baseFeeScalar: 0, blobBaseFeeScalar: 0 };',
      change: '{ baseFeeScalar: 0, blobBaseFeeScalar: 0 } ⇒ {}',
      reason: 'the calls before the packed encoding have no such scalars',
    },
  ],
  'src/protocol/derivation/batch/singular-batch-validity.ts': [
    {
      line: "if (batch.timestamp > expected) return { validity: strict ? 'drop' : 'future', reason };",
      change: 'batch.timestamp > expected ⇒ batch.timestamp >= expected',
      reason: 'the times are not equal there',
    },
  ],
  'src/protocol/derivation/encode/batch-decoder.ts': [
    {
      line: '#inputs: BatcherInput[] = [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'the inputs are set before they are read',
    },
  ],
  'src/protocol/derivation/encode/channel-out.ts': [
    {
      line: 'span[0]?.sequenceNumber === 0,',
      change: 'span[0]?.sequenceNumber ⇒ span[0].sequenceNumber',
      reason: 'no span is empty',
    },
  ],
  'src/protocol/derivation/stages/base-batch-stage.ts': [
    {
      line: 'if (first > 0) blocks = blocks.slice(first);',
      change: 'first > 0 ⇒ first >= 0',
      reason: 'a slice from 0 is the whole list',
    },
    {
      line: 'if (epoch === undefined || nextEpoch === undefined) return null;',
      change: 'epoch === undefined ⇒ false',
      reason: 'a list without a first block has no second one',
    },
  ],
  'src/protocol/derivation/stages/batch-queue.ts': [
    {
      line: "const read = arrived === null ? await below.nextBatch() : 'more';",
      change: `'more' ⇒ ""`,
      reason: 'with a batch that was read before, each text but eof means more',
    },
  ],
  'src/protocol/derivation/stages/channel.ts': [
    {
      line: 'if (end !== null && (frame.isLast || frame.number >= end)) return false;',
      change: 'frame.number >= end ⇒ frame.number > end',
      reason: 'the closing frame is there, and a number that is there was refused before',
    },
    {
      line: 'const beyond = [...frames.keys()].filter((number) => number > frame.number);',
      change: 'number > frame.number ⇒ number >= frame.number',
      reason: 'a number that is there was refused before',
    },
  ],
};

/** Equivalent mutants of `src/protocol/genesis`. */
export const GENESIS: Equivalents = {
  'src/protocol/genesis/accounts.ts': [
    {
      line: 'if (baked.length === count) return baked;',
      change: 'baked.length === count ⇒ false',
      reason: 'no account is derived when all are there',
    },
  ],
  'src/protocol/genesis/alloc.ts': [
    {
      line: 'if (entry !== undefined) return entry;',
      change: 'entry !== undefined ⇒ false',
      reason: 'code that is filled again is the same',
    },
    {
      line: 'this.#codes.set(index, code);',
      change: 'this.#codes.set(index, code); ⇒ ;',
      reason: 'code that is filled again is the same',
    },
  ],
  'src/protocol/genesis/extra-alloc.ts': [
    {
      line:
        'const words = Object.entries({ ...below.storage, ...storage })' +
        '.filter(([, value]) => !/^0x0*$/.test(value));',
      change: '/^0x0*$/ ⇒ /0x0*$/',
      reason: 'each word begins with 0x',
    },
  ],
  'src/protocol/genesis/file/account-reader.ts': [
    {
      line: 'const address = /^(?:0[xX])?([0-9a-fA-F]{40})$/.exec(key)?.[1]?.toLowerCase();',
      change:
        '/^(?:0[xX])?([0-9a-fA-F]{40})$/.exec(key)?.[1]?.toLowerCase ⇒ ' +
        '/^(?:0[xX])?([0-9a-fA-F]{40})$/.exec(key)?.[1].toLowerCase',
      reason: 'each match has the group',
    },
    {
      line: 'else if (codeBytes !== undefined && code.length > 2 + codeBytes * 2)',
      change: 'codeBytes !== undefined ⇒ true',
      reason: 'no length is above NaN',
    },
  ],
  'src/protocol/genesis/file/genesis-config.ts': [
    {
      line: 'if (genesisKey === null || ethereumKey === null) return [];',
      change: 'genesisKey === null || ethereumKey === null ⇒ false',
      reason: 'no config has a key null, and a pair without Ethereum time has no problem',
    },
    {
      line: 'if (genesisKey === null || ethereumKey === null) return [];',
      change: 'genesisKey === null || ethereumKey === null ⇒ genesisKey === null && ethereumKey === null',
      reason: 'no config has a key null, and a pair without Ethereum time has no problem',
    },
    {
      line: 'if (genesisKey === null || ethereumKey === null) return [];',
      change: 'genesisKey === null ⇒ false',
      reason: 'no config has a key null, and a pair without Ethereum time has no problem',
    },
    {
      line: 'if (genesisKey === null || ethereumKey === null) return [];',
      change: 'ethereumKey === null ⇒ false',
      reason: 'no config has a key null, and a pair without Ethereum time has no problem',
    },
  ],
  'src/protocol/genesis/file/genesis-fields.ts': [
    {
      line: `typeof value === 'number' && INTEGERS.has(key) ? (context?.source ?? value) : value,`,
      change: 'context?.source ⇒ context.source',
      reason: 'Node passes the context of each number',
    },
    {
      line: 'if (!isProtocolError(error)) throw error;',
      change: '!isProtocolError(error) ⇒ false',
      reason: 'the reader of data throws nothing else',
    },
  ],
  'src/protocol/genesis/file/rollup-file.ts': [
    {
      line: 'z.config({ jitless: true });',
      change: '{ jitless: true } ⇒ {}',
      reason: 'the schema library checks the same without compiling',
    },
    {
      line: 'z.config({ jitless: true });',
      change: 'true ⇒ false',
      reason: 'the schema library checks the same without compiling',
    },
    {
      line:
        'const keys = [...Object.keys(base), ...FORKS.flatMap(({ rollupKey }) => rollupKey ?? []), ' +
        '...KEEP_GAS_KEYS];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'a key that the file lacks is left out',
    },
  ],
  'src/protocol/genesis/file/unique-json.ts': [
    {
      line: 'const objects: Set<string>[] = [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'the keys are those of the innermost object',
    },
    {
      line: 'if (keys?.has(key)) {',
      change: 'keys?.has ⇒ keys.has',
      reason: 'each property is in an object',
    },
    {
      line: 'keys?.add(key);',
      change: 'keys?.add ⇒ keys.add',
      reason: 'each property is in an object',
    },
  ],
  'src/protocol/genesis/funds.ts': [
    {
      line: "code: typeof code === 'string' ? code : '0x',",
      change: `'0x' ⇒ ""`,
      reason: 'neither text is the code of a token, or longer than 0x',
    },
  ],
  'src/protocol/genesis/genesis-file.ts': [
    {
      line:
        `for (const [address, { balance = '0x0', nonce = '0x0', code = '0x', storage = {} }] of ` +
        `Object.entries(alloc)) {`,
      change: `'0x0' ⇒ ""`,
      reason: 'the number of an empty text is 0',
    },
    {
      line: 'const words = Object.entries(storage).filter(([, value]) => !/^0x0*$/.test(value));',
      change: '/^0x0*$/ ⇒ /0x0*$/',
      reason: 'each word begins with 0x',
    },
    {
      line: 'if (!isMap(config) || !fields.ok || !alloc.ok || problems.length > 0) return { ok: false, problems };',
      change: '!isMap(config) || !fields.ok || !alloc.ok ⇒ false',
      reason: 'each of these has a problem in the list',
    },
    {
      line: 'if (!isMap(config) || !fields.ok || !alloc.ok || problems.length > 0) return { ok: false, problems };',
      change: '!isMap(config) || !fields.ok || !alloc.ok ⇒ (!isMap(config) || !fields.ok) && !alloc.ok',
      reason: 'each of these has a problem in the list',
    },
    {
      line: 'if (!isMap(config) || !fields.ok || !alloc.ok || problems.length > 0) return { ok: false, problems };',
      change: '!isMap(config) || !fields.ok ⇒ false',
      reason: 'each of these has a problem in the list',
    },
    {
      line: 'if (!isMap(config) || !fields.ok || !alloc.ok || problems.length > 0) return { ok: false, problems };',
      change: '!isMap(config) || !fields.ok ⇒ !isMap(config) && !fields.ok',
      reason: 'each of these has a problem in the list',
    },
  ],
  'src/protocol/genesis/render.ts': [
    {
      line: 'texts.set(account, text);',
      change: 'texts.set(account, text); ⇒ ;',
      reason: 'an account that is rendered again has the same text',
    },
  ],
  'src/protocol/genesis/roots.ts': [
    {
      line: 'if (entry !== undefined) return entry;',
      change: 'entry !== undefined ⇒ false',
      reason: 'an account that is encoded again is the same',
    },
    {
      line: 'this.#accounts.set(account, encoded);',
      change: 'this.#accounts.set(account, encoded); ⇒ ;',
      reason: 'an account that is encoded again is the same',
    },
    {
      line: 'this.#codeHashes.set(code, hash);',
      change: 'this.#codeHashes.set(code, hash); ⇒ ;',
      reason: 'code that is hashed again has the same hash',
    },
  ],
  'src/protocol/genesis/template.ts': [
    {
      line: "if (typeof template === 'string') return template;",
      change: "typeof template === 'string' ⇒ false",
      reason: 'a text is filled letter by letter, without a slot',
    },
    {
      line: "if (typeof template === 'string') return template;",
      change: `'string' ⇒ ""`,
      reason: 'a text is filled letter by letter, without a slot',
    },
  ],
  'src/protocol/genesis/tokens.ts': [
    {
      line: "const code = account.code?.toLowerCase() ?? '0x';",
      change: `'0x' ⇒ ""`,
      reason: 'neither text matches the code of a token or a clone',
    },
    {
      line: 'const behind = target === undefined ? undefined : byAddress.get(`0x${target}`);',
      change: 'target === undefined ⇒ false',
      reason: 'no account has the address 0xundefined',
    },
    {
      line: "return BALANCE_OF.test(code) || BALANCE_OF.test(behind?.code?.toLowerCase() ?? '');",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'neither text matches the code of a token',
    },
    {
      line: 'const CLONE = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af4/;',
      change: '/^0x363d3d373d3d3d363d73([0-9a-f]{40})5af4/ ⇒ /0x363d3d373d3d3d363d73([0-9a-f]{40})5af4/',
      reason: 'code has 0x at its beginning alone',
    },
  ],
};
