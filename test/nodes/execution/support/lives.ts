import fc from 'fast-check';
import { expect } from 'vitest';
import type { Hex } from '../../../../src/protocol/types.ts';
import type { RpcClient } from '../../../../src/rpc/client/client.ts';
import { patientClient } from '../../../rpc/patient-client.ts';
import { ACCOUNTS } from './accounts.ts';
import { Driver, deposit, l1Info, ZERO } from './driver.ts';
import { CHAIN_ID, GENESIS_TIME, STORE, upTo } from './genesis.ts';
import { JWT } from './nodes.ts';
import { listening, type Program } from './process.ts';

interface Made {
  readonly hash: Hex;
  readonly number: number;
}

interface Labels {
  readonly head: Hex;
  /** Also the finalized block. */
  readonly safe: Hex;
}

/** One run of the program: its actions and the time of its kill. */
export interface Life {
  /** `start`: killed milliseconds after the spawn. `work`: killed after some actions, during the next. */
  readonly phase: 'start' | 'work';
  readonly spawned: number;
  readonly acted: number;
  readonly within: number;
  /** Actions that are repeated in order. See {@link Lives.#act}. */
  readonly acts: readonly number[];
}

export const lifeArbitrary: fc.Arbitrary<Life> = fc.record({
  phase: fc.oneof(
    { weight: 1, arbitrary: fc.constant('start' as const) },
    { weight: 4, arbitrary: fc.constant('work' as const) },
  ),
  spawned: fc.integer({ min: 0, max: 600 }),
  acted: fc.integer({ min: 0, max: 12 }),
  within: fc.integer({ min: 0, max: 25 }),
  acts: fc.array(fc.nat(99), { minLength: 5, maxLength: 40 }),
});

/** Kills a program repeatedly and checks what it acknowledged before. */
export class Lives {
  readonly #start: () => Program;
  /** The last answered forkchoice, and the one in progress when the program died. */
  #acknowledged: Labels | undefined;
  #pendingLabels: Labels | undefined;
  /** Blocks with a VALID response, newest last. */
  readonly #valid: Hex[] = [];
  #salt = 0;
  readonly counts = { start: 0, work: 0, blocks: 0, branches: 0, rewinds: 0 };

  constructor(start: () => Program) {
    this.#start = start;
  }

  async live({ phase, spawned, acted, within, acts }: Life): Promise<void> {
    const program = this.#start();
    this.counts[phase]++;
    const kill = (delay: number) => void setTimeout(() => program.child.kill('SIGKILL'), delay);
    if (phase === 'start') kill(spawned);
    const ports = await listening(program).catch(() => undefined);
    if (ports !== undefined) {
      const engine = patientClient({ url: `http://127.0.0.1:${ports.engine}`, jwtSecret: JWT });
      const rpc = patientClient({ url: `http://127.0.0.1:${ports.http}` });
      try {
        if (phase === 'work') await this.#check(rpc);
        await this.#work(engine, rpc, acts, (done) => {
          if (phase === 'work' && done === acted) kill(within);
        });
      } catch (error) {
        // Only responses of a living program are checked.
        if (!program.child.killed && program.child.signalCode === null) throw error;
      } finally {
        engine.close();
        rpc.close();
      }
    }
    expect(await program.exit, program.stderr()).toBe('SIGKILL');
  }

  /** Starts the program a last time, checks everything and stops it. */
  async rest(): Promise<void> {
    const program = this.#start();
    const ports = await listening(program);
    const rpc = patientClient({ url: `http://127.0.0.1:${ports.http}` });
    await this.#check(rpc);
    rpc.close();
    program.child.kill('SIGTERM');
    expect(await program.exit).toBe(0);
  }

  /** Checks that nothing acknowledged is lost: head, labels, chain, states, receipts and side blocks. */
  async #check(rpc: RpcClient): Promise<void> {
    const head = await blockAt(rpc, 'latest');
    const safe = await rpc.call<{ hash: Hex } | null>('eth_getBlockByNumber', ['safe', false]).catch(() => null);
    const finalized = await rpc
      .call<{ hash: Hex } | null>('eth_getBlockByNumber', ['finalized', false])
      .catch(() => null);
    expect(finalized?.hash).toBe(safe?.hash);
    const labels = { head: head!.hash, safe: safe?.hash ?? ZERO };
    if (this.#acknowledged !== undefined)
      expect([this.#acknowledged, this.#pendingLabels].filter((labels) => labels !== undefined)).toContainEqual(labels);
    this.#acknowledged = labels;
    this.#pendingLabels = undefined;
    const numbers = Array.from({ length: Number(head!.number) + 1 }, (_, number) => `0x${number.toString(16)}`);
    const blocks = await rpc.batch(numbers.map((tag) => ({ method: 'eth_getBlockByNumber', params: [tag, false] })));
    const balances = await rpc.batch(
      numbers.map((tag) => ({ method: 'eth_getBalance', params: [ACCOUNTS[4]!.address, tag] })),
    );
    const receipts = await rpc.batch(numbers.map((tag) => ({ method: 'eth_getBlockReceipts', params: [tag] })));
    let parent: Hex = ZERO;
    for (const [number, answer] of blocks.entries()) {
      const block = (answer as { result: { hash: Hex; parentHash: Hex } }).result;
      expect(block.parentHash).toBe(parent);
      parent = block.hash;
      expect((balances[number] as { result: Hex }).result).toBe(`0x${(10n ** 22n + BigInt(number)).toString(16)}`);
      expect((receipts[number] as { result: unknown[] }).result).toHaveLength(number === 0 ? 0 : 3);
    }
    const hashes = this.#valid.slice(-100);
    const beside = await rpc.batch(hashes.map((hash) => ({ method: 'eth_getBlockByHash', params: [hash, false] })));
    for (const [at, answer] of beside.entries())
      expect(answer).toMatchObject({ ok: true, result: { hash: hashes[at] } });
  }

  async #work(
    engine: RpcClient,
    rpc: RpcClient,
    acts: readonly number[],
    before: (done: number) => void,
  ): Promise<never> {
    const driver = new Driver(engine, upTo('jovian'));
    for (let at = 0; ; at++) {
      before(at);
      await this.#act(driver, rpc, acts[at % acts.length]!);
    }
  }

  /** Runs an action: mostly a block on the head, else a side branch, a rewind or labels. */
  async #act(driver: Driver, rpc: RpcClient, act: number): Promise<void> {
    const head = (await blockAt(rpc, 'latest'))!;
    const safe = await rpc.call<Made>('eth_getBlockByNumber', ['safe', false]).catch(() => undefined);
    const lowest = Number(safe?.number ?? 0);
    const below = Math.max(lowest, Number(head.number) - 1 - (act % 7));
    const ancestor = below < 0 ? null : await blockAt(rpc, `0x${below.toString(16)}`);
    if (act >= 90 && ancestor !== null) {
      this.counts.rewinds++;
      await this.#makeCanonical(driver, { head: ancestor.hash, safe: safe?.hash ?? ZERO });
    } else if (act >= 80 && ancestor !== null) {
      this.counts.branches++;
      await this.#build(driver, ancestor, safe?.hash ?? ZERO);
    } else if (act >= 75 && ancestor !== null) {
      await this.#makeCanonical(driver, { head: head.hash, safe: ancestor.hash });
    } else await this.#build(driver, head, safe?.hash ?? ZERO);
  }

  async #build(driver: Driver, parent: Made, safe: Hex): Promise<void> {
    const number = Number(parent.number) + 1;
    const raw = await ACCOUNTS[0]!.signTransaction({
      chainId: CHAIN_ID,
      type: 'eip1559',
      nonce: number - 1,
      gas: 100_000n,
      maxFeePerGas: 10n ** 10n,
      to: STORE,
      data: `0x${number.toString(16).padStart(64, '0')}${(++this.#salt).toString(16).padStart(64, '0')}`,
    });
    const time = GENESIS_TIME + number * 2;
    const forced = [l1Info(number), deposit({ mint: 1n, value: 1n, to: ACCOUNTS[4]!.address }), raw];
    const { payloadId } = await this.#makeCanonical(
      driver,
      { head: parent.hash, safe },
      driver.attributes(time, forced, { noTxPool: true }),
    );
    const payload = await driver.payload(payloadId!, time);
    expect(await driver.import(payload)).toMatchObject({ status: 'VALID' });
    this.#valid.push(payload.hash);
    this.counts.blocks++;
    await this.#makeCanonical(driver, { head: payload.hash, safe });
  }

  async #makeCanonical(driver: Driver, labels: Labels, attributes?: Record<string, unknown>) {
    this.#pendingLabels = labels;
    const answer = await driver.makeCanonical(labels.head, attributes, labels.safe);
    expect(answer.payloadStatus.status).toBe('VALID');
    this.#acknowledged = labels;
    this.#pendingLabels = undefined;
    return answer;
  }
}

function blockAt(rpc: RpcClient, tag: string): Promise<Made | null> {
  return rpc.call('eth_getBlockByNumber', [tag, false]);
}
