import { parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type BridgeRow,
  bridgeOf,
  messagesNamed,
  withdrawalsIn,
} from '../../../../src/orchestrator/dashboard/explorer/bridge.ts';
import { ALICE, bridgedNetwork, MESSENGERS, messageLog, PASSER, PORTAL, word } from './bridged.ts';

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

it('the messages of a hash are found by one search of the logs of each contract', async () => {
  const { plan, layer, searches } = network;
  const [deposit] = await bridgeOf(plan, layer);
  searches.length = 0;
  const all = [PASSER, PORTAL, ...MESSENGERS].sort();
  expect(await messagesNamed(plan, layer, deposit!.id)).toEqual([deposit]);
  expect(searches.sort()).toEqual(all);
  searches.length = 0;
  expect(await messagesNamed(plan, layer, word(3))).toMatchObject([{ kind: 'withdrawal', stage: 'finalized on L1' }]);
  expect(searches.sort()).toEqual(all);
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

describe('a message that a messenger could not relay', () => {
  const UNRELAYED = 'its message failed: the messenger can relay it again';
  afterEach(() => void network.messages.splice(0));
  const rows = () => bridgeOf(network.plan, network.layer);
  const withdrawal = async (id: number) => (await rows()).find((row) => row.id === word(id));

  it('shows in the stage of its withdrawal until it is relayed', async () => {
    network.messages.push(messageLog('l1', 'failed', 33, word(107)), messageLog('l1', 'failed', 34, word(900)));
    expect(await withdrawal(3)).toMatchObject({ stage: `finalized on L1, but ${UNRELAYED}`, failure: UNRELAYED });
    expect(await withdrawal(2)).toMatchObject({ stage: 'proven on L1', failure: null });
    network.messages.push(messageLog('l1', 'relayed', 33, word(901)));
    expect(await withdrawal(3)).toMatchObject({ stage: 'finalized on L1', failure: null });
  });

  it('shows in the stage of its deposit until it is relayed', async () => {
    const [{ onL2 }] = (await rows()) as [BridgeRow];
    network.messages.push(messageLog('l2', 'failed', 33, onL2!));
    expect((await rows())[0]).toMatchObject({ stage: `on L2, block 5, but ${UNRELAYED}`, failure: UNRELAYED });
    network.messages.push(messageLog('l2', 'relayed', 33, word(901)));
    expect((await rows())[0]).toMatchObject({ stage: 'on L2, block 5', failure: null });
  });
});
