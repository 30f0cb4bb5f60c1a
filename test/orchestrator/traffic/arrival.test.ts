import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbi, type TransactionReceipt } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balanceArrived } from '../../../src/orchestrator/traffic/arrival.ts';
import { chainAt } from '../../../src/orchestrator/traffic/transaction.ts';
import { type Ledger, servedLedger } from '../scenario/ledger.ts';

const HASH: Hex = `0x${'77'.repeat(32)}`;
const PORTAL: Hex = `0x${'44'.repeat(20)}`;
const MESSENGER: Hex = `0x${'55'.repeat(20)}`;
const EVENTS = parseAbi([
  'event WithdrawalFinalized(bytes32 indexed withdrawalHash, bool success)',
  'event RelayedMessage(bytes32 indexed msgHash)',
  'event FailedRelayedMessage(bytes32 indexed msgHash)',
]);
const FINALIZED = {
  address: PORTAL,
  topics: encodeEventTopics({ abi: EVENTS, eventName: 'WithdrawalFinalized', args: { withdrawalHash: HASH } }),
  data: encodeAbiParameters([{ type: 'bool' }], [true]),
};
const messageLog = (eventName: 'RelayedMessage' | 'FailedRelayedMessage', address = MESSENGER) => ({
  ...{ address, topics: encodeEventTopics({ abi: EVENTS, eventName, args: { msgHash: HASH } }), data: '0x' },
});

let l1: Ledger;
beforeAll(async () => {
  l1 = await servedLedger();
  l1.balances.set(MESSENGER, 9n);
});
afterAll(() => l1[Symbol.dispose]());

/** Returns the balance of a messenger that a finalization with these logs paid. */
function arrived(value: bigint, ...logs: readonly object[]): Promise<bigint> {
  const receipt = { transactionHash: HASH, blockNumber: 7n, gasUsed: 1n, effectiveGasPrice: 1n, from: PORTAL };
  const finalized = { ...receipt, logs: [FINALIZED, ...logs] } as unknown as TransactionReceipt;
  return balanceArrived(chainAt(l1.url), { to: MESSENGER, value, portal: PORTAL, finalized });
}

describe('a withdrawal that carries a message', () => {
  it.each([
    ['no event of a messenger', []],
    ['a message that was relayed', [messageLog('RelayedMessage')]],
    ['a message of another contract that failed', [messageLog('FailedRelayedMessage', PORTAL)]],
  ])('arrives with %s', async (_, logs) => {
    expect(await arrived(0n, ...logs)).toBe(9n);
  });

  it('arrives when its message failed and was relayed since', async () => {
    const place = {
      blockNumber: '0x9',
      blockHash: HASH,
      transactionHash: HASH,
      transactionIndex: '0x0',
      logIndex: '0x0',
    };
    l1.events = [{ ...messageLog('RelayedMessage'), ...place }];
    expect(await arrived(0n, messageLog('FailedRelayedMessage'))).toBe(9n);
    l1.events = [];
  });

  it.each([
    [5n, ': 5 wei stays there'],
    [0n, ''],
  ])('fails with its message, of %d wei', async (value, amount) => {
    await expect(arrived(value, messageLog('FailedRelayedMessage'))).rejects.toMatchObject({
      ...{ code: 'withdrawal', data: { transaction: HASH, message: HASH } },
      message: `L1 finalized the withdrawal, but the message that ${MESSENGER} relays failed${amount}`,
      hint: `run \`devnet tx ${HASH} --trace\` to see why; relayMessage of that contract relays it again`,
    });
  });
});
