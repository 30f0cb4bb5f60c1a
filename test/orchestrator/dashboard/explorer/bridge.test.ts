import { parseEther } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bridgeOf, messagesNamed, withdrawalsIn } from '../../../../src/orchestrator/dashboard/explorer/bridge.ts';
import { ALICE, bridgedNetwork, PASSER, PORTAL, word } from './bridged.ts';

let network: Awaited<ReturnType<typeof bridgedNetwork>>;

beforeAll(async () => {
  network = await bridgedNetwork();
});
afterAll(() => network.node.close());

it('a withdrawal shows its stage, and that nothing arrived when the call of its finalization failed', async () => {
  const { plan, layer } = network;
  const rows = await bridgeOf(plan, layer);
  expect(
    rows.filter(({ kind }) => kind === 'withdrawal').map(({ kind, to, value, stage }) => [kind, to, value, stage]),
  ).toEqual(
    [
      'finalized on L1, but its call failed: nothing arrived',
      'finalized on L1',
      'proven on L1',
      'on L2, waits for a proposal and its proof',
    ].map((stage) => ['withdrawal', ALICE, String(parseEther('1')), stage]),
  );
});

it('the messages of a hash are found by one search of the logs of each layer', async () => {
  const { plan, layer, searches } = network;
  const [deposit] = await bridgeOf(plan, layer);
  searches.length = 0;
  expect(await messagesNamed(plan, layer, deposit!.id)).toEqual([deposit]);
  expect(searches.sort()).toEqual([PASSER, PORTAL]);
  searches.length = 0;
  expect(await messagesNamed(plan, layer, word(3))).toMatchObject([{ kind: 'withdrawal', stage: 'finalized on L1' }]);
  expect(searches.sort()).toEqual([PASSER, PORTAL]);
});

it('each of the three transactions of a withdrawal leads to the other two', async () => {
  const { plan, layer } = network;
  const [initiation, proof, finalization] = [word(102), word(105), word(107)];
  for (const hash of [initiation, proof, finalization]) {
    const rows = await withdrawalsIn(plan, [layer], hash);
    expect(rows).toMatchObject([{ chain: 'main', transaction: initiation, proof, finalization }]);
  }
  expect(await withdrawalsIn(plan, [layer], word(101))).toMatchObject([{ proof: word(104), finalization: null }]);
  expect(await withdrawalsIn(plan, [layer], word(999))).toEqual([]);
});
