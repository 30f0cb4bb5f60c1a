import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../../support/accounts.ts';
import { Driver, l1Info } from '../../support/driver.ts';
import { GENESIS_TIME, genesisText, STORE, upTo } from '../../support/genesis.ts';
import { launch } from '../../support/nodes.ts';
import { signTransaction } from '../../support/sign-transaction.ts';

const schedule = upTo('jovian');
const [one, two] = ACCOUNTS as [(typeof ACCOUNTS)[0], (typeof ACCOUNTS)[0]];
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
/** Calldata of sstore(0, value) for the storing contract. */
const store = (value: number): Hex => `${word(0)}${word(value).slice(2)}` as Hex;
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

describe.each(['go', 'rust'] as const)('%s', (flavour) => {
  const launched = () => launch(genesisText(schedule), { flavour, conditional: true });
  const [rejected, tooMuch] = flavour === 'go' ? [-32003, -32005] : [-32602, -32602];
  const slots = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [word(at), word(0)]));

  test('a transaction is refused when its condition does not hold', async () => {
    await using node = await launched();
    const send = async (condition: unknown) =>
      node.rpc.call('eth_sendRawTransactionConditional', [await signTransaction(one), condition]);
    const cases: [condition: unknown, code: number, go: string, rust: string][] = [
      [
        { knownAccounts: { [STORE]: { [word(0)]: word(1) } } },
        rejected,
        `failed state check: failed account storage slot key ${word(0)} constraint. ` +
          `Got ${word(0)}, Expected ${word(1)}`,
        'storage value mismatch',
      ],
      [
        { knownAccounts: { [STORE]: word(1) } },
        rejected,
        `failed state check: failed account storage root constraint. Got ${EMPTY_ROOT}, Expected ${word(1)}`,
        'storage root mismatch',
      ],
      [
        { timestampMax: '0x1' },
        rejected,
        'failed header check: failed timestamp maximum constraint',
        'invalid conditional parameters',
      ],
      [
        { knownAccounts: { [STORE]: slots(flavour === 'go' ? 1000 : 5000) } },
        tooMuch,
        'conditional cost, 1001, exceeded max: 1000',
        'conditional cost exceeded maximum allowed',
      ],
    ];
    for (const [condition, code, go, rust] of cases)
      await expect(send(condition)).rejects.toMatchObject({ code, message: flavour === 'go' ? go : rust });
    await expect(send({ blockNumberMinimum: '0x2' })).rejects.toMatchObject({
      code: -32602,
      message: flavour === 'go' ? expect.stringContaining('blockNumberMinimum') : 'Invalid params',
    });
    if (flavour === 'go') {
      const contradicting = send({ blockNumberMin: '0x2', blockNumberMax: '0x1' });
      await expect(contradicting).rejects.toMatchObject({
        code: -32003,
        message: 'failed conditional validation: block number minimum constraint must be less than the maximum',
      });
    }
    expect(await node.rpc.call('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' });
  });

  test('a transaction goes into a block when its condition holds', async () => {
    await using node = await launched();
    const condition = { knownAccounts: { [STORE]: { [word(0)]: word(0) } }, blockNumberMax: '0x5' };
    const raw = await signTransaction(one, { to: STORE, data: store(7) });
    const hash = await node.rpc.call<Hex>('eth_sendRawTransactionConditional', [raw, condition]);
    const payload = await build(node);
    expect(payload).toHaveLength(2);
    expect(await node.rpc.call('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' });
  });

  test('a transaction leaves the pool when one of the same block breaks its condition', async () => {
    await using node = await launched();
    const condition = { knownAccounts: { [STORE]: { [word(0)]: word(0) } } };
    const hash = await node.rpc.call<Hex>('eth_sendRawTransactionConditional', [await signTransaction(one), condition]);
    const first = await signTransaction(two, { to: STORE, data: store(7), maxPriorityFeePerGas: 10n ** 9n });
    await node.rpc.call('eth_sendRawTransaction', [first]);
    expect(await build(node)).toEqual([expect.anything(), first]);
    expect(await node.rpc.call('eth_getTransactionByHash', [hash])).toBeNull();
  });
});

test('a verifier forwards the condition with the transaction', async () => {
  await using sequencer = await launch(genesisText(schedule), { flavour: 'go', conditional: true });
  await using verifier = await launch(genesisText(schedule), {
    flavour: 'rust',
    conditional: true,
    sequencer: sequencer.url,
  });
  const send = (raw: Hex, condition: unknown) =>
    verifier.rpc.call<Hex>('eth_sendRawTransactionConditional', [raw, condition]);
  const hash = await send(await signTransaction(one), {
    blockNumberMax: '0x9',
    knownAccounts: { [STORE]: { [word(0)]: word(0) } },
  });
  expect(sequencer.node.context.pool.conditionOf(hash)).toMatchObject({ blockNumberMax: 9n });
  await expect(send(await signTransaction(two), { blockNumberMin: '0x7' })).rejects.toMatchObject({
    code: -32003,
    message: 'failed header check: failed block number minimum constraint',
  });
});

/** Builds the next block from the pool. Returns its transactions. */
async function build(node: Awaited<ReturnType<typeof launch>>): Promise<readonly Hex[]> {
  const { hash } = await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['latest', false]);
  const { envelope } = await new Driver(node.engine, schedule).build(hash, GENESIS_TIME + 2, [l1Info(1)]);
  return envelope.executionPayload['transactions'] as Hex[];
}
