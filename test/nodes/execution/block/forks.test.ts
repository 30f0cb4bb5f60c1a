import { expect, test } from 'vitest';
import { PREDEPLOYS } from '../../../../src/protocol/execution/predeploys.ts';
import { type ForkName, rulesAt } from '../../../../src/protocol/forks/index.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, deposit, l1Info } from '../support/driver.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText, LOGGER, REVERTER, STORE, upTo } from '../support/genesis.ts';
import { launch } from '../support/nodes.ts';

type Json = Record<string, Hex> & { logs: { topics: Hex[] }[] };

const FEES = { chainId: CHAIN_ID, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 6n };
const INIT: Hex = '0x600a600c600039600a6000f3600160005500';
const word = (value: number) => value.toString(16).padStart(64, '0');

/** One transaction of each type, a creation and a failing call. `setCode` includes type 4. */
async function transactions(setCode: boolean): Promise<Hex[]> {
  const [one, two, three] = ACCOUNTS;
  const signed = [
    one!.signTransaction({ ...FEES, type: 'eip1559', nonce: 0, gas: 21_000n, to: two!.address, value: 5n }),
    one!.signTransaction({ ...FEES, type: 'eip1559', nonce: 1, gas: 200_000n, data: INIT }),
    one!.signTransaction({
      chainId: CHAIN_ID,
      type: 'legacy',
      nonce: 2,
      gas: 100_000n,
      gasPrice: 2n * 10n ** 9n,
      to: STORE,
      data: `0x${word(3)}${word(9)}`,
    }),
    two!.signTransaction({
      chainId: CHAIN_ID,
      type: 'eip2930',
      nonce: 0,
      gas: 100_000n,
      gasPrice: 2n * 10n ** 9n,
      to: LOGGER,
      data: `0x${word(77)}`,
      accessList: [{ address: LOGGER, storageKeys: [] }],
    }),
    two!.signTransaction({ ...FEES, type: 'eip1559', nonce: 1, gas: 100_000n, to: REVERTER, data: '0x01' }),
    two!.signTransaction({
      ...FEES,
      type: 'eip1559',
      nonce: 2,
      gas: 100_000n,
      to: PREDEPLOYS.l2ToL1MessagePasser,
      data: `0x${word(5)}${word(6)}`,
    }),
  ];
  if (setCode) {
    const authorization = await three!.signAuthorization({ chainId: CHAIN_ID, contractAddress: STORE, nonce: 0 });
    signed.push(
      two!.signTransaction({
        ...FEES,
        type: 'eip7702',
        nonce: 3,
        gas: 200_000n,
        to: three!.address,
        authorizationList: [authorization],
        data: `0x${word(1)}${word(2)}`,
      }),
    );
  }
  return Promise.all(signed);
}

const DEPOSITS: { readonly name: string; readonly raw: Hex; readonly status: Hex; readonly wholeGas?: boolean }[] = [
  {
    name: 'mints and transfers',
    raw: deposit({ mint: 10n ** 18n, value: 10n ** 17n, to: ACCOUNTS[3]!.address }),
    status: '0x1',
  },
  { name: 'creates a contract', raw: deposit({ to: null, data: INIT }), status: '0x1' },
  { name: 'reverts', raw: deposit({ mint: 5n, to: REVERTER }), status: '0x0' },
  {
    name: 'has not the value',
    raw: deposit({ from: '0x00000000000000000000000000000000000000bb', mint: 3n, value: 4n, to: STORE }),
    status: '0x0',
    wholeGas: true,
  },
  {
    name: 'has not the intrinsic gas',
    raw: deposit({ from: '0x00000000000000000000000000000000000000cc', mint: 7n, to: STORE, gas: 20_000 }),
    status: '0x0',
    wholeGas: true,
  },
];

test.each<[ForkName]>([['granite'], ['holocene'], ['isthmus'], ['jovian']])(
  'each flavour builds blocks under %s that the other one computes to the same hash',
  async (fork) => {
    const schedule = upTo(fork);
    const rules = rulesAt(schedule, GENESIS_TIME);
    const genesis = genesisText(schedule);
    await using sequencer = await launch(genesis, { flavour: 'go' });
    await using verifier = await launch(genesis, { flavour: 'rust' });
    const driver = new Driver(sequencer.engine, schedule);
    const follower = new Driver(verifier.engine, schedule);
    const start = await sequencer.rpc.call<Json>('eth_getBlockByNumber', ['earliest', false]);
    expect(await verifier.rpc.call('eth_getBlockByNumber', ['earliest', false])).toEqual(start);

    const sent = await transactions(rules.evm === 'prague');
    for (const raw of sent) await sequencer.rpc.call('eth_sendRawTransaction', [raw]);
    const first = await driver.build(start['hash']!, GENESIS_TIME + 2, [l1Info(1), ...DEPOSITS.map(({ raw }) => raw)]);
    const second = await driver.build(first.hash, GENESIS_TIME + 4, [l1Info(2)]);
    for (const payload of [first, second])
      expect(await follower.import(payload)).toEqual({
        status: 'VALID',
        latestValidHash: payload.hash,
        validationError: null,
      });
    await follower.makeCanonical(second.hash);

    expect(first.envelope.executionPayload['transactions']).toHaveLength(1 + DEPOSITS.length + sent.length);
    const receipts = await verifier.rpc.call<Json[]>('eth_getBlockReceipts', ['0x1']);
    DEPOSITS.forEach(({ name, status, wholeGas, raw }, at) => {
      const receipt = receipts[at + 1]!;
      expect({ name, status: receipt['status'] }).toEqual({ name, status });
      expect(receipt['depositReceiptVersion']).toBe('0x1');
      if (wholeGas) expect(Number(receipt['gasUsed'])).toBe(raw === DEPOSITS[4]!.raw ? 20_000 : 1_000_000);
    });
    expect(receipts.slice(1 + DEPOSITS.length).map(({ status }) => status)).toEqual(
      ['0x1', '0x1', '0x1', '0x1', '0x0', '0x1', '0x1'].slice(0, sent.length),
    );
    const mintOf = (address: string) => verifier.rpc.call('eth_getBalance', [address, 'latest']);
    expect(await mintOf('0x00000000000000000000000000000000000000bb')).toBe('0x3');
    expect(await mintOf('0x00000000000000000000000000000000000000cc')).toBe('0x7');
    expect(
      await verifier.rpc.call('eth_getTransactionCount', ['0x00000000000000000000000000000000000000bb', 'latest']),
    ).toBe('0x1');

    const header = await verifier.rpc.call<Json>('eth_getBlockByNumber', ['0x1', false]);
    expect(header['extraData']).toHaveLength(2 + rules.extraData.length * 2);
    const passer = await verifier.rpc.call<{ storageHash: Hex }>('eth_getProof', [
      PREDEPLOYS.l2ToL1MessagePasser,
      [],
      '0x1',
    ]);
    if (rules.header.withdrawalsRoot === 'message-passer') expect(header['withdrawalsRoot']).toBe(passer.storageHash);
    const paying = receipts.filter(({ type }) => type !== '0x7e');
    const footprints = paying.reduce((sum, receipt) => sum + Number(receipt['blobGasUsed'] ?? 0), 0);
    expect(Number(header['blobGasUsed'])).toBe(footprints);
    expect(footprints > 0).toBe(fork === 'jovian');
    const vault = BigInt(await verifier.rpc.call<Hex>('eth_getBalance', [PREDEPLOYS.operatorFeeVault, '0x1']));
    expect(vault > 0n).toBe(rules.header.requestsHash);
    const l1Fees = receipts.reduce((sum, { l1Fee }) => sum + BigInt(l1Fee ?? 0), 0n);
    expect(BigInt(await verifier.rpc.call<Hex>('eth_getBalance', [PREDEPLOYS.l1FeeVault, '0x1']))).toBe(l1Fees);
  },
);

test('both flavours activate a fork in mid-chain alike', async () => {
  const schedule = {
    ...upTo('granite'),
    holocene: GENESIS_TIME + 4,
    isthmus: GENESIS_TIME + 6,
    jovian: GENESIS_TIME + 8,
  };
  const genesis = genesisText(schedule);
  await using sequencer = await launch(genesis, { flavour: 'rust' });
  await using verifier = await launch(genesis, { flavour: 'go' });
  const driver = new Driver(sequencer.engine, schedule);
  const follower = new Driver(verifier.engine, schedule);
  let { hash } = await sequencer.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
  const lengths: number[] = [];
  for (let number = 1; number <= 5; number++) {
    const raw = await ACCOUNTS[0]!.signTransaction({
      ...FEES,
      type: 'eip1559',
      nonce: number - 1,
      gas: 100_000n,
      to: STORE,
      data: `0x${word(number)}${word(number)}`,
    });
    await sequencer.rpc.call('eth_sendRawTransaction', [raw]);
    const payload = await driver.build(hash, GENESIS_TIME + number * 2, [l1Info(number)]);
    expect((await follower.import(payload)).status).toBe('VALID');
    await follower.makeCanonical(payload.hash);
    lengths.push((String(payload.envelope.executionPayload['extraData']).length - 2) / 2);
    expect(payload.envelope.executionPayload['transactions']).toHaveLength(2);
    hash = payload.hash;
  }
  expect(lengths).toEqual([0, 9, 9, 17, 17]);
});
