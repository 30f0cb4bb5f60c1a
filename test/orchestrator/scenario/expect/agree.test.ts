import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeClients } from '../../../../src/orchestrator/probe/call.ts';
import { agree } from '../../../../src/orchestrator/scenario/expect/agree.ts';
import { quantity } from '../../../../src/protocol/hex.ts';
import { fixturePlan } from '../../supervisor/fixture-plan.ts';
import { scriptedClient, scriptedRun } from '../scripted-run.ts';

const HEAD = 4;

/** What the verifier is: one of the chain, one with another block 3, one that breaks each connection. */
type Manner = 'same' | 'other' | 'silent';
const verifier: { is: Manner } = { is: 'same' };

const hashOf = (number: number, manner: Manner) =>
  `0x${(manner === 'other' && number >= 3 ? 'f' : 'b').repeat(63)}${number}`;
const blockOf = (tag: unknown, manner: Manner) => {
  const number = tag === 'finalized' ? 0 : typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : HEAD;
  if (number > HEAD) return null;
  const parentHash = number === 0 ? `0x${'00'.repeat(32)}` : hashOf(number - 1, manner);
  const fields = { stateRoot: manner === 'other' && number >= 3 ? '0x2' : '0x1', transactions: [] };
  return { number: quantity(number), hash: hashOf(number, manner), parentHash, timestamp: quantity(number), ...fields };
};
const client = (manner: () => Manner) =>
  scriptedClient((method, [tag]) => {
    const ref = { number: HEAD, hash: hashOf(HEAD, manner()) };
    if (manner() === 'silent') return undefined;
    if (method === 'eth_getBlockByNumber') return { result: blockOf(tag, manner()) };
    return { result: method === 'optimism_syncStatus' ? { unsafe_l2: ref, safe_l2: ref } : quantity(HEAD) };
  });
let clients: readonly Server[] = [];
beforeAll(async () => {
  clients = [await client(() => 'same'), await client(() => verifier.is)];
});
afterAll(() => {
  closeClients();
  for (const each of clients) {
    each.closeAllConnections();
    each.close();
  }
});

const look = async (isExpected: boolean, manner: Manner) => {
  verifier.is = manner;
  const nodes = clients.map((each) => ({ port: (each.address() as AddressInfo).port }));
  const check = await agree.begin(isExpected, { ...scriptedRun(), plan: () => fixturePlan('/home', 'one', nodes) });
  return check();
};

describe('the expectation of agreement', () => {
  it.each<[boolean, Manner, boolean]>([
    [true, 'same', true],
    [true, 'other', false],
    [true, 'silent', false],
    [false, 'same', false],
    [false, 'other', true],
    [false, 'silent', false],
  ])('%j: with a verifier that is %s, it holds: %j', async (isExpected, manner, holds) => {
    expect(await look(isExpected, manner)).toMatchObject({ holds });
  });

  it.each([true, false])('%j: names a node that does not answer', async (isExpected) => {
    expect(await look(isExpected, 'silent')).toMatchObject({
      because: expect.stringContaining('main/node-1/el does not answer'),
    });
  });
});
