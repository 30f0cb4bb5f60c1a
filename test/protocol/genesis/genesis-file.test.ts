import { describe, expect, it } from 'vitest';
import { parseGenesis } from '../../../src/protocol/genesis/file/genesis-fields.ts';
import {
  headerOfFields,
  readGenesisAlloc,
  readRollupGenesis,
  rollupGenesisHash,
} from '../../../src/protocol/genesis/genesis-file.ts';
import { l2Alloc, l2Genesis, renderAlloc, renderL2Genesis } from '../../../src/protocol/genesis/index.ts';
import { chainInputs, upTo } from './inputs.ts';
import { small } from './small-contracts.ts';

const A = `0x${'ab'.repeat(20)}` as const;
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const NO_REQUESTS = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const inputs = chainInputs({ schedule: upTo('jovian') });
const documentOf = (of = inputs) =>
  parseGenesis(renderL2Genesis(of, renderAlloc(l2Alloc(of, small)))) as Readonly<Record<string, unknown>>;
function readOrThrow(document: unknown) {
  const read = readRollupGenesis(document);
  if (!read.ok) throw new Error(read.problems.join('; '));
  return read.value;
}

describe('genesis file of a rollup', () => {
  it.each(['bedrock', 'canyon', 'ecotone', 'granite', 'holocene', 'isthmus', 'jovian'] as const)(
    'of base %s has the hash of the genesis that it was made of',
    (base) => {
      const of = chainInputs({ schedule: upTo(base) });
      expect(rollupGenesisHash(readOrThrow(documentOf(of)))).toBe(l2Genesis(of, small).hash);
    },
  );

  it('has the same hash with slots of zero, and with accounts that state each field', () => {
    const document = documentOf();
    const whole = { balance: '0x1', nonce: '0x0', code: '0x', storage: {} };
    const stated = { ...(document['alloc'] as object), [A]: whole };
    const hash = rollupGenesisHash(readOrThrow({ ...document, alloc: stated }));
    const zeros = { balance: '0x1', storage: { '0x1': '0x0', '0x2': '0x00' } };
    expect(rollupGenesisHash(readOrThrow({ ...document, alloc: { ...stated, [A]: zeros } }))).toBe(hash);
    for (const other of [{ balance: '0x2' }, { nonce: '0x1' }, { code: '0x01' }, { storage: { '0x1': '0x10' } }])
      expect(
        rollupGenesisHash(readOrThrow({ ...document, alloc: { ...stated, [A]: { ...whole, ...other } } })),
      ).not.toBe(hash);
  });

  it('is read with its config, fields and alloc', () => {
    const { config, fields, alloc } = readOrThrow({ ...documentOf(), alloc: { [A]: { balance: 1, x: 1 } } });
    expect(config).toMatchObject({ chainId: 901, optimism: {} });
    expect(fields).toMatchObject({ gasLimit: 30_000_000n, timestamp: BigInt(inputs.genesisTime) });
    expect(alloc).toEqual({ [A]: { balance: '0x1' } });
  });

  it.each<[string, (document: Readonly<Record<string, unknown>>) => unknown, string[]]>([
    ['a list', () => [], ['expected a map with config, alloc and header fields']],
    ['no config', ({ config: _, ...rest }) => rest, ['config: expected a map with chainId and the times of forks']],
    [
      'the config of an Ethereum chain',
      (document) => ({ ...document, config: { chainId: 1 } }),
      ["config.optimism: expected a rollup's EIP-1559 parameters"],
    ],
    ['no alloc', ({ alloc: _, ...rest }) => rest, ['alloc: expected a map of accounts by address']],
    [
      'faults in each part',
      (document) => ({ ...document, config: {}, gasLimit: null, alloc: { x: {} } }),
      [
        'config.chainId: expected a whole number from 1',
        "config.optimism: expected a rollup's EIP-1559 parameters",
        'gasLimit is missing: expected an integer below 2^64, as a number or as decimal or 0x text',
        'alloc.x: expected an address of 20 bytes',
      ],
    ],
  ])('is refused with %s', (_, change, problems) => {
    expect(readRollupGenesis(change(documentOf()))).toEqual({ ok: false, problems });
  });

  it('has an alloc that is read alone', () => {
    expect(readGenesisAlloc({ [A]: { nonce: '0xffffffffffffffff' } })).toEqual({
      ok: true,
      value: { [A]: { nonce: '0xffffffffffffffff' } },
    });
    expect(readGenesisAlloc(null)).toEqual({ ok: false, problems: ['alloc: expected a map of accounts by address'] });
    expect(readGenesisAlloc({ [A]: 1 })).toMatchObject({ ok: false, problems: [expect.any(String)] });
  });
});

describe('header of a genesis file', () => {
  const { fields } = readOrThrow({
    ...documentOf(),
    nonce: '0x7',
    blobGasUsed: '0x1',
    excessBlobGas: '0x2',
    parentBeaconBlockRoot: `0x${'03'.repeat(32)}`,
    parentHash: `0x${'04'.repeat(32)}`,
    mixHash: `0x${'05'.repeat(32)}`,
    gasUsed: '0x6',
  });
  const roots = { stateRoot: `0x${'07'.repeat(32)}`, messagePasserRoot: `0x${'08'.repeat(32)}` } as const;
  const common = {
    parentHash: fields.parentHash,
    beneficiary: fields.coinbase,
    stateRoot: roots.stateRoot,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: `0x${'00'.repeat(256)}`,
    number: 0,
    gasLimit: fields.gasLimit,
    gasUsed: 6n,
    timestamp: fields.timestamp,
    extraData: fields.extraData,
    mixHash: fields.mixHash,
    nonce: '0x0000000000000007',
    baseFeePerGas: fields.baseFeePerGas,
  };
  const beacon = { blobGasUsed: 1n, excessBlobGas: 2n, parentBeaconBlockRoot: `0x${'03'.repeat(32)}` };

  it.each([
    ['absent', false, false, {}],
    ['empty', false, false, { withdrawalsRoot: EMPTY_ROOT }],
    ['list', true, false, { withdrawalsRoot: EMPTY_ROOT, ...beacon }],
    ['message-passer', true, true, { withdrawalsRoot: roots.messagePasserRoot, ...beacon, requestsHash: NO_REQUESTS }],
  ] as const)('has the fields of its fork: withdrawals root %s, beacon root %s, requests %s', (...row) => {
    const [withdrawalsRoot, beaconRoot, requestsHash, more] = row;
    const rules = { withdrawalsRoot, beaconRoot, requestsHash } as Parameters<typeof headerOfFields>[1];
    expect(headerOfFields(fields, rules, roots)).toStrictEqual({ ...common, ...more });
    const { nonce: _, ...without } = common;
    expect(headerOfFields({ ...fields, nonce: 0n }, rules, roots)).toStrictEqual({ ...without, ...more });
  });
});
