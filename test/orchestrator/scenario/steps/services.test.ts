import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { altDa } from '../../../../src/orchestrator/scenario/steps/alt-da.ts';
import { conductor } from '../../../../src/orchestrator/scenario/steps/conductor.ts';
import { proposer } from '../../../../src/orchestrator/scenario/steps/proposer.ts';
import { withdraw } from '../../../../src/orchestrator/scenario/steps/withdraw.ts';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { forgeWithdrawal } from '../../../../src/orchestrator/traffic/games/forged-withdrawal.ts';
import { answerOfGames } from '../games.ts';
import { type Ledger, servedLedger } from '../ledger.ts';
import { twoChains } from '../read/two-chains.ts';
import { scriptedClient } from '../scripted-run.ts';
import { type ServedDevnet, servedDevnet, standingTime } from '../served-devnet.ts';

const TO: Hex = `0x${'22'.repeat(20)}`;
const GAME: Hex = `0x${'ab'.repeat(20)}`;
const FACTORY: Hex = `0x${'33'.repeat(20)}`;
const HONEST: Hex = `0x${'11'.repeat(32)}`;
const ETHER = 10n ** 18n;

let service: Server;
let l1: Ledger;
let devnet: ServedDevnet;
/** Calls of the service, which stands for the DA server, the conductor and the proposer. */
const called: [method: string, params: readonly unknown[]][] = [];
/** The answers of the service by method. */
let answers: Readonly<Record<string, unknown>> = {};
beforeAll(async () => {
  service = await scriptedClient((method, params) => {
    called.push([method, params]);
    return { result: answers[method] ?? null };
  });
  l1 = await servedLedger();
  devnet = await servedDevnet(planned);
});
afterAll(async () => {
  service.closeAllConnections();
  service.close();
  l1[Symbol.dispose]();
  await devnet[Symbol.asyncDispose]();
});
beforeEach(() => {
  called.length = 0;
  answers = {};
});

/** The plan of two chains. The service is that of the first one, and another of the second does not answer. */
function planned(): Plan {
  const rpc = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const plan = twoChains();
  const [main, other] = plan.network.chains;
  const services = { daServer: { task: 'main/batcher', rpc }, conductor: { task: 'main/batcher', rpc } };
  const nodes = main!.nodes.map((node) => ({ ...node, role: 'sequencer' as const }));
  const contracts = { l1: { DisputeGameFactory: FACTORY, OptimismPortal: TO }, l2: {} };
  const chain = { ...main!, ...services, nodes, contracts, proposer: { task: 'main/proposer', rpc } } as typeof main;
  const onL1 = { ...plan.network.l1, rpc: l1.url };
  return { ...plan, network: { ...plan.network, l1: onL1, chains: [chain!, other!] } };
}
const run = (time = standingTime()) => devnet.run({ time });

describe('the step altDa', () => {
  it.each<[Json]>([[{ answer: 'withhold' }], [{ answer: 'wrong-data', chain: 'main' }]])(
    'says to the DA server of its chain how to answer: %j',
    async (value) => {
      expect(await altDa.run(value, run())).toEqual({});
      expect(called).toEqual([['devnet_answer', [(value as { answer: string }).answer]]]);
    },
  );

  it('ends with the network', async () => {
    const signal = AbortSignal.abort(new Error('the network has ended'));
    await expect(altDa.run({ answer: 'honest' }, { ...run(), signal })).rejects.toThrow();
    expect(called).toEqual([]);
  });

  it('fails when its chain has none', async () => {
    await expect(altDa.run({ answer: 'honest', chain: 'other' }, run())).rejects.toThrow('DA server');
  });

  it('takes an answer that the server knows', () => {
    for (const answer of ['honest', 'withhold', 'wrong-data', 'wrong-commitment'])
      expect(altDa.schema.safeParse({ answer }).success).toBe(true);
    expect(altDa.schema.safeParse({ answer: 'x' }).success).toBe(false);
  });
});

describe('the step conductor', () => {
  it.each(['b', 'main/b'])('gives the lead to %s, and finds the leader', async (transfer) => {
    const member = { name: 'b', healthy: true, sequencing: true, block: 1 };
    answers = {
      devnet_conductorStatus: { leader: 'b', term: 4, paused: false, last: null, members: [member] },
    };
    expect(await conductor.run({ transfer }, run())).toEqual({ leader: 'b', term: 4 });
    expect(called).toEqual([
      ['conductor_transferLeaderToServer', ['b', '']],
      ['devnet_conductorStatus', []],
    ]);
  });
});

describe('a proposer that lies', () => {
  const output = (root: Hex) => ({ block: 3, root, honestRoot: HONEST });
  const gameOf = (root: Hex) => ({ address: GAME, root, block: 3, state: 'in-progress' as const, claims: 1 });

  it('proposes an output that holds a withdrawal, and finds its game', async () => {
    const { root } = forgeWithdrawal(TO, 5n);
    answers = { devnet_proposeFalseOutput: output(root) };
    l1.call = (to, data) => answerOfGames([gameOf(root)], to, data);
    const evidence = await proposer.run({ lie: { to: TO, value: '5 wei', block: 3 } }, run());
    expect(evidence).toMatchObject({ ...output(root), game: expect.stringMatching(new RegExp(GAME, 'i')) });
    expect(called).toEqual([['devnet_proposeFalseOutput', [{ root, block: 3 }]]]);
  });

  it('proposes an ether at the newest safe block by default, and waits until L1 has it', async () => {
    const { root } = forgeWithdrawal(TO, ETHER);
    answers = { devnet_proposeFalseOutput: output(root) };
    let isIncluded = false;
    l1.call = (to, data) => answerOfGames(isIncluded ? [gameOf(root)] : [], to, data);
    let now = 0;
    const time = standingTime({
      now: () => now,
      async pass() {
        now += 20_000;
        isIncluded = now === 40_000;
      },
    });
    expect(await proposer.run({ lie: { to: TO }, chain: 'main' }, run(time))).toMatchObject({ root });
    expect(called).toEqual([['devnet_proposeFalseOutput', [{ root }]]]);
    expect(now).toBe(40_000);
  });

  it('is late when L1 does not have it within a minute', async () => {
    answers = { devnet_proposeFalseOutput: output(forgeWithdrawal(TO, ETHER).root) };
    l1.call = (to, data) => answerOfGames([], to, data);
    let now = 0;
    const time = standingTime({
      now: () => now,
      async pass() {
        now += 30_000;
      },
    });
    await expect(proposer.run({ lie: { to: TO } }, run(time))).rejects.toMatchObject({
      ...{ code: 'late', message: 'not within 60 s: L1 has not included the false output' },
    });
    expect(now).toBe(60_000);
  });

  it.each<[Record<string, Json>, boolean]>([
    [{ do: 'stop' }, true],
    [{ lie: { to: TO } }, true],
    [{}, false],
    [{ do: 'stop', lie: { to: TO } }, false],
    [{ do: 'restart' }, false],
  ])('takes an action or a lie, %j: %s', (value, isTaken) => {
    expect(proposer.schema.safeParse(value).success).toBe(isTaken);
  });
});

describe('the step withdraw', () => {
  it('of a withdrawal that was never made is refused by L1', async () => {
    const { root } = forgeWithdrawal(TO, 5n);
    const over = { address: GAME, root, block: 3, state: 'challenger-wins' as const, claims: 2 };
    l1.call = (to, data) => answerOfGames([over], to, data);
    const evidence = await withdraw.run({ value: 5, to: TO, against: GAME, from: 1, timeout: '1s' }, run());
    expect(evidence).toMatchObject({ game: GAME, state: 'challenger-wins', refused: expect.any(String) });
  });

  it('fails when the portal has less than the amount', async () => {
    await expect(withdraw.run({ value: 5, to: TO }, run())).rejects.toMatchObject({
      ...{ code: 'withdrawal', message: expect.stringMatching(/^the portal of main holds 0 wei on L1: 5 wei /) },
    });
  });
});
