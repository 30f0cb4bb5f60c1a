import { parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bridgeOf } from '../../../../src/orchestrator/dashboard/explorer/bridge.ts';
import { readMessage } from '../../../../src/orchestrator/dashboard/explorer/message.ts';
import { inspectorOf } from '../../../../src/orchestrator/inspect/inspector.ts';
import { ALICE, bridgedNetwork, messageLog, word } from './bridged.ts';

let network: Awaited<ReturnType<typeof bridgedNetwork>>;

beforeAll(async () => {
  network = await bridgedNetwork();
});
afterAll(() => network.node.close());

/** Reads a message whose addresses have no name but Alice on L1. */
function read(kind: 'deposit' | 'withdrawal', id: string) {
  const names = ({ kind }: { readonly kind: string }) => new Map(kind === 'l1' ? [[ALICE, 'Alice']] : []);
  return readMessage({ ...inspectorOf(network.plan), names }, network.layer, kind, id);
}

describe('a withdrawal', () => {
  const steps = async (id: number) => (await read('withdrawal', word(id)))?.steps;
  const initiated = { name: 'initiated', chain: 'main', block: 7, time: 70, state: 'done' };
  const proposed = { name: 'proposed', chain: 'l1', transaction: word(200), block: 9, time: 90, state: 'done' };

  it('has both ends, its amount, and what it calls', async () => {
    expect(await read('withdrawal', word(1))).toMatchObject({
      ...{ from: { address: ALICE, name: null }, to: { address: ALICE, name: 'Alice' } },
      ...{ value: String(parseEther('1')), gas: '100000', nonce: '1', dataBytes: 0, call: null, mint: null },
    });
  });

  it('waits for its proof when an output covers its block', async () => {
    expect(await steps(1)).toMatchObject([
      { ...initiated, transaction: word(100) },
      { ...proposed, note: 'output of block 7' },
      { name: 'proven', state: 'waiting', transaction: null, note: 'waits for its proof' },
      { name: 'finalized', state: 'waiting', transaction: null, note: '' },
    ]);
  });

  it('says from when on it can be finalized', async () => {
    // The proof is in block 7, at second 70, and the oracle wants 12 seconds more.
    expect(await steps(2)).toMatchObject([
      initiated,
      proposed,
      { name: 'proven', state: 'done', transaction: word(104), block: 7, time: 70 },
      { name: 'finalized', state: 'waiting', note: 'not before 1970-01-01T00:01:22Z' },
    ]);
  });

  it('is done when it is finalized, and failed when its call failed', async () => {
    expect((await steps(3))?.at(-1)).toMatchObject({ state: 'done', transaction: word(107), block: 7, note: '' });
    expect((await steps(4))?.at(-1)).toMatchObject({ state: 'failed', note: 'its call failed: nothing arrived' });
  });

  it('failed when the message that it brought failed', async () => {
    network.messages.push(messageLog('l1', 'failed', 33, word(107)));
    const last = (await steps(3))?.at(-1);
    network.messages.splice(0);
    expect(last).toMatchObject({ state: 'failed', note: 'its message failed: the messenger can relay it again' });
  });

  it('is undefined when no block has it', async () => {
    expect(await read('withdrawal', word(999))).toBeUndefined();
  });
});

it('a deposit has its ends on both layers, what it mints, and its input', async () => {
  const [row] = await bridgeOf(network.plan, network.layer);
  expect(await read('deposit', row?.id ?? '')).toMatchObject({
    ...{ kind: 'deposit', from: { name: 'Alice' }, to: { name: null }, dataBytes: 4, gas: '50000' },
    ...{ value: String(parseEther('2')), mint: String(parseEther('1')), nonce: null },
    steps: [
      { name: 'deposited', chain: 'l1', transaction: word(300), block: 3, time: 30, state: 'done' },
      { name: 'executed', chain: 'main', transaction: row?.onL2, block: 5, time: 50, state: 'done', note: '' },
    ],
  });
});

it('a deposit failed when the message that it brought failed', async () => {
  const [row] = await bridgeOf(network.plan, network.layer);
  network.messages.push(messageLog('l2', 'failed', 33, row!.onL2!));
  const last = (await read('deposit', row!.id))?.steps.at(-1);
  network.messages.splice(0);
  expect(last).toMatchObject({ state: 'failed', note: 'its message failed: the messenger can relay it again' });
});
