import type { EquivalentMutant } from './equivalent.ts';

type Equivalents = Readonly<Record<string, readonly EquivalentMutant[]>>;

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
