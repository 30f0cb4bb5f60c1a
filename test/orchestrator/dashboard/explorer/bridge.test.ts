import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeAbiParameters, encodeEventTopics, type Hex, numberToHex, pad, parseAbi, parseEther } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bridgeOf, withdrawalsIn } from '../../../../src/orchestrator/dashboard/explorer/bridge.ts';
import type { L2Layer } from '../../../../src/orchestrator/inspect/inspector.ts';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';

const EVENTS = parseAbi([
  [
    'event MessagePassed(uint256 indexed nonce, address indexed sender, address indexed target, ',
    'uint256 value, uint256 gasLimit, bytes data, bytes32 withdrawalHash)',
  ].join(''),
  'event WithdrawalProven(bytes32 indexed withdrawalHash, address indexed from, address indexed to)',
  'event WithdrawalFinalized(bytes32 indexed withdrawalHash, bool success)',
]);
const PORTAL: Hex = `0x${'90'.repeat(20)}`;
const ALICE: Hex = `0x${'a1'.repeat(20)}`;
const word = (value: number): Hex => pad(numberToHex(value), { size: 32 });

const [PASSED, PROVEN, FINALIZED] = EVENTS.map(({ name }) => encodeEventTopics({ abi: EVENTS, eventName: name })[0]!);

function passedLog(id: number) {
  const types = [{ type: 'uint256' }, { type: 'uint256' }, { type: 'bytes' }, { type: 'bytes32' }] as const;
  const data = encodeAbiParameters(types, [parseEther('1'), 100_000n, '0x', word(id)]);
  return { topics: [PASSED, word(id), pad(ALICE), pad(ALICE)], data };
}
const proven = (id: number) => ({ topics: [PROVEN, word(id), pad(ALICE), pad(ALICE)], data: '0x' });
const finalized = (id: number, success: 0 | 1) => ({ topics: [FINALIZED, word(id)], data: word(success) });

/** Four withdrawals: initiated, proven, finalized, and finalized with a call that failed. */
const LOGS = [...[1, 2, 3, 4].map(passedLog), ...[2, 3, 4].map(proven), ...[finalized(3, 1), finalized(4, 0)]].map(
  (log, index) => ({
    ...log,
    address: log.topics[0] === PASSED ? '0x4200000000000000000000000000000000000016' : PORTAL,
    ...{ blockHash: word(7), blockNumber: '0x7', transactionHash: word(100 + index), logIndex: numberToHex(index) },
  }),
);

function answer(method: string, [filter]: readonly { readonly topics: readonly string[] }[]): unknown {
  if (method === 'eth_blockNumber') return '0x8';
  if (method === 'eth_getBlockByNumber') return { number: '0x8' };
  return LOGS.filter(({ topics }) => topics[0] === filter?.topics[0]);
}

const server = createServer(async (request, response) => {
  const body = JSON.parse((await request.setEncoding('utf8').toArray()).join(''));
  const reply = (each: { id: number; method: string; params: [never] }) => {
    return { jsonrpc: '2.0', id: each.id, result: answer(each.method, each.params) };
  };
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify(Array.isArray(body) ? body.map(reply) : reply(body)));
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function network() {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const chain = { name: 'main', contracts: { l1: { OptimismPortal: PORTAL } } };
  const plan = { network: { l1: { direct: { rpc: url } } } } as unknown as Plan;
  return { plan, layer: { url, chain } as unknown as L2Layer };
}

it('a withdrawal shows its stage, and that nothing arrived when the call of its finalization failed', async () => {
  const { plan, layer } = network();
  const rows = await bridgeOf(plan, layer);
  expect(rows.map(({ kind, to, value, stage }) => [kind, to, value, stage])).toEqual(
    [
      'finalized on L1, but its call failed: nothing arrived',
      'finalized on L1',
      'proven on L1',
      'on L2, waits for a proposal and its proof',
    ].map((stage) => ['withdrawal', ALICE, String(parseEther('1')), stage]),
  );
});

it('each of the three transactions of a withdrawal leads to the other two', async () => {
  const { plan, layer } = network();
  const [initiation, proof, finalization] = [word(102), word(105), word(107)];
  for (const hash of [initiation, proof, finalization]) {
    const rows = await withdrawalsIn(plan, [layer], hash);
    expect(rows).toMatchObject([{ chain: 'main', transaction: initiation, proof, finalization }]);
  }
  expect(await withdrawalsIn(plan, [layer], word(101))).toMatchObject([{ proof: word(104), finalization: null }]);
  expect(await withdrawalsIn(plan, [layer], word(999))).toEqual([]);
});
