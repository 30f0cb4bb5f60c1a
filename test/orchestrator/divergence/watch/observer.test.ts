import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Divergence } from '../../../../src/orchestrator/divergence/compare.ts';
import { Observer } from '../../../../src/orchestrator/divergence/watch/observer.ts';
import type { NodeView, Plan } from '../../../../src/orchestrator/plan/plan.ts';
import type { NetworkEvent } from '../../../../src/orchestrator/state/network-event-type.ts';
import { temporaryHome } from '../../supervisor/fixture-plan.ts';
import { blocksTo, type ChainNode, chainNode, planWith } from '../chain-nodes.ts';

let open: readonly ChainNode[] = [];
afterEach(() => {
  for (const node of open) node.close();
});

/** Unix milliseconds of the first poll. */
const START_MS = 1_700_000_000_000;

/** A network whose nodes are polled once a second, as the health watch does. */
class Watched {
  readonly observer: Observer;
  readonly events: NetworkEvent[] = [];
  readonly diverged: { readonly divergence: Divergence; readonly against: string }[] = [];
  readonly silent = new Set<string>();
  plan: Plan;
  seconds = 0;
  readonly #nodes: readonly ChainNode[];

  constructor(plan: Plan, nodes: readonly ChainNode[]) {
    this.plan = plan;
    this.#nodes = nodes;
    this.observer = new Observer({
      plan: () => this.plan,
      emit: (event) => this.events.push(event),
      diverged: (divergence, against) => this.diverged.push({ divergence, against }),
    });
  }

  get moment() {
    return { watched: this.seconds * 1000, wall: START_MS + this.seconds * 1000 };
  }

  /** Reads the head of each node and the blocks that are asked for. */
  poll(seconds = 1): void {
    for (let at = 0; at < seconds; at++) {
      this.seconds += 1;
      for (const [index, { blocks }] of this.#nodes.entries()) {
        const task = `main/node-${index}/el`;
        if (this.silent.has(task)) continue;
        const refs = [...this.observer.heightsFor(task), blocks.length - 1].flatMap((number) => {
          const block = blocks[number];
          return block === undefined ? [] : [{ number, hash: block.hash, time: 1000 + number }];
        });
        this.observer.answered(task, { values: {}, chain: { head: refs.at(-1)!, blocks: refs } }, this.moment);
      }
      this.observer.round(this.moment);
    }
  }

  /** Polls until a difference waits for its confirmation, then until none does. Returns the seconds between the two. */
  secondsUrgent(): number {
    for (let at = 0; at < 60 && !this.observer.isUrgent; at++) this.poll();
    const first = this.seconds;
    for (let at = 0; at < 60 && this.observer.isUrgent; at++) this.poll();
    return this.seconds - first;
  }

  of(kind: NetworkEvent['kind']): NetworkEvent[] {
    return this.events.filter((event) => event.kind === kind);
  }
}

/** Starts a node for each head, all of one chain, the first one the sequencer. */
async function network(...heads: readonly number[]): Promise<[Watched, readonly ChainNode[]]> {
  open = await Promise.all(heads.map((head) => chainNode(blocksTo(head))));
  return [new Watched(planWith(open), open), open];
}

const hashAt = (number: number, tag = 'a') => `0x${tag.repeat(56)}${number.toString(16).padStart(8, '0')}`;
/** Waits until the headers of a divergence are read. */
const told = (watched: Watched, count = 1) => vi.waitFor(() => expect(watched.diverged).toHaveLength(count));

/** Replaces the nodes of the plan's chain. */
function withNodes(plan: Plan, change: (nodes: readonly NodeView[]) => readonly NodeView[]): Plan {
  const chains = plan.network.chains.map((chain) => ({ ...chain, nodes: change(chain.nodes) }));
  return { ...plan, network: { ...plan.network, chains } };
}

describe('the heads of a network', () => {
  it('become events, with the block that a node left', async () => {
    const [watched, nodes] = await network(5, 5);
    watched.poll();
    const at = START_MS + 1000;
    expect(watched.events).toEqual(
      ['node-0', 'node-1'].map((node) => {
        return { kind: 'head', at, chain: 'main', node, number: 5, hash: hashAt(5), time: 1005 };
      }),
    );
    watched.poll();
    expect(watched.events).toHaveLength(2);
    nodes[1]!.blocks = blocksTo(4);
    watched.poll();
    expect(watched.events.slice(2)).toEqual([
      {
        ...{ kind: 'reorg', at: START_MS + 3000, chain: 'main', node: 'node-1' },
        ...{ from: { number: 5, hash: hashAt(5) }, to: { number: 4, hash: hashAt(4) } },
      },
      { kind: 'head', at: START_MS + 3000, chain: 'main', node: 'node-1', number: 4, hash: hashAt(4), time: 1004 },
    ]);
  });

  it('are asked for by execution clients of the plan alone', async () => {
    const [watched] = await network(5, 5);
    expect(watched.observer.heightsFor('main/node-0/el')).toEqual([]);
    watched.poll();
    expect(watched.observer.heightsFor('main/node-0/el')).toEqual([5]);
    expect(watched.observer.heightsFor('main/other/el')).toEqual([]);
    watched.observer.answered('main/other/el', { values: {} }, watched.moment);
    watched.observer.answered('main/node-0/el', { values: {} }, watched.moment);
    expect(watched.events).toHaveLength(2);
  });

  it('begin anew for a node that left the network and came back', async () => {
    const [watched, chainNodes] = await network(5, 5);
    watched.plan = {
      ...watched.plan,
      network: {
        ...watched.plan.network,
        chains: watched.plan.network.chains.map((chain) => ({ ...chain, forks: { isthmus: 1007 } })),
      },
    };
    watched.poll();
    const whole = watched.plan;
    watched.plan = withNodes(whole, (all) => all.slice(0, 1));
    watched.observer.renew();
    expect(watched.observer.heightsFor('main/node-1/el')).toEqual([]);
    watched.poll();
    watched.plan = whole;
    watched.observer.renew();
    for (const node of chainNodes) node.blocks = blocksTo(8);
    watched.poll();
    // The fork is an event of a head that is known before and after it.
    expect(watched.of('fork')).toMatchObject([{ node: 'node-0', fork: 'isthmus' }]);
    expect(watched.of('head')).toHaveLength(4);
  });
});

describe('a divergence of moving heads', () => {
  /** A network of three in which `node-2` has another block 3. */
  async function diverged(): Promise<[Watched, readonly ChainNode[]]> {
    const [watched, nodes] = await network(5, 5, 5);
    nodes[2]!.blocks = blocksTo(5, 3);
    watched.poll(8);
    await told(watched);
    return [watched, nodes];
  }
  const reason = 'stateRoot is 0x2 on main/node-2, 0x1 on main/node-0';

  it('is told once it lasts, with the header fields that differ', async () => {
    const before = Date.now();
    const [watched] = await diverged();
    expect(watched.diverged).toEqual([
      {
        divergence: { chain: 'main', block: 3, nodes: ['node-2'], kind: 'hash', fields: ['stateRoot'], reason },
        against: 'node-0',
      },
    ]);
    const [event] = watched.of('divergence');
    expect(event).toMatchObject({
      ...{ kind: 'divergence', chain: 'main', block: 3, nodes: ['node-2'], how: 'hash', fields: ['stateRoot'], reason },
      since: expect.any(Number),
    });
    expect(event?.at).toBeGreaterThanOrEqual(before);
  });

  it('is urgent until it is confirmed', async () => {
    const [watched, nodes] = await network(5, 5, 5);
    watched.poll(2);
    expect(watched.observer.isUrgent).toBe(false);
    nodes[2]!.blocks = blocksTo(5, 3);
    watched.poll(4);
    expect(watched.observer.isUrgent).toBe(true);
    watched.poll(6);
    expect(watched.observer.isUrgent).toBe(false);
    await told(watched);
  });

  it.each<[number, number]>([
    [1, 3500],
    [4, 10_500],
  ])('of blocks of %d s lasts for %d ms before it is told', async (blockTime, ms) => {
    const [, nodes] = await network(5, 5);
    nodes[1]!.blocks = blocksTo(5, 5);
    const bare = planWith(nodes);
    const chains = bare.network.chains.map((chain) => ({ ...chain, blockTime }));
    const watched = new Watched({ ...bare, network: { ...bare.network, chains } }, nodes);
    expect(watched.secondsUrgent()).toBe(Math.ceil(ms / 1000));
    await told(watched);
  });

  it('a divergence of blocks that both sides derived from L1 is told after 3 s', async () => {
    const [watched, nodes] = await network(5, 5);
    const chains = watched.plan.network.chains.map((chain) => ({ ...chain, blockTime: 4 }));
    const slow = new Watched({ ...watched.plan, network: { ...watched.plan.network, chains } }, nodes);
    nodes[1]!.blocks = blocksTo(5, 5);
    slow.poll();
    for (const [index, tag] of ['a', 'b'].entries()) {
      const task = `main/node-${index}/cl`;
      slow.observer.answered(task, { values: { [`${task} safe`]: { number: 5, hash: hashAt(5, tag) } } }, slow.moment);
    }
    expect(slow.secondsUrgent()).toBe(3);
    await told(slow);
  });

  it('is a problem of the execution clients of the minority, while they answer', async () => {
    const [watched, nodes] = await diverged();
    const symptom = { id: 'main/node-2/el', subject: 'main/node-2/el', what: 'has another block 3 than main/node-0' };
    const since = (watched.of('divergence')[0] as { readonly since: number }).since;
    expect(watched.observer.symptoms(watched.moment)).toEqual([{ ...symptom, since, causes: [], because: reason }]);
    watched.observer.forget('main/node-2/cl');
    watched.observer.forget('main/other/el');
    expect(watched.observer.symptoms(watched.moment)).toHaveLength(1);
    watched.observer.forget('main/node-2/el');
    watched.silent.add('main/node-2/el');
    watched.poll();
    expect(watched.observer.symptoms(watched.moment)).toEqual([]);
    watched.silent.clear();
    watched.poll(3);
    expect(watched.observer.symptoms(watched.moment)).toHaveLength(1);
    nodes[2]!.blocks = blocksTo(6);
    for (const node of nodes) node.blocks = blocksTo(6);
    watched.poll(3);
    expect(watched.observer.symptoms(watched.moment)).toEqual([]);
    expect(watched.of('agreement')).toMatchObject([{ chain: 'main', block: 6, nodes: ['node-2'] }]);
    expect(watched.diverged).toHaveLength(1);
  });

  it('is that of the node that is not the sequencer, of two, in any order of the plan', async () => {
    const [, nodes] = await network(5, 5);
    const plan = withNodes(planWith(nodes), (all) => all.toReversed());
    const watched = new Watched(plan, nodes);
    nodes[1]!.blocks = blocksTo(5, 5);
    watched.poll(8);
    await told(watched);
    expect(watched.diverged).toMatchObject([{ divergence: { nodes: ['node-1'] }, against: 'node-0' }]);
  });

  it('is one of its own chain', async () => {
    const [, nodes] = await network(5, 5);
    const bare = planWith(nodes);
    const [main] = bare.network.chains;
    const other = {
      ...{ ...main!, name: 'other' },
      nodes: main!.nodes.map(({ name, el, cl, ...node }, at) => ({
        ...{ ...node, name: `other-${at}` },
        el: { ...el, task: `other/${at}/el` },
        cl: { ...cl, task: `other/${at}/cl` },
      })),
    };
    const watched = new Watched({ ...bare, network: { ...bare.network, chains: [main!, other] } }, []);
    for (let second = 0; second < 3; second++) {
      watched.seconds += 1;
      for (const [at, tag] of ['a', 'b'].entries()) {
        const head = { number: 1, hash: hashAt(1, tag), parentHash: hashAt(0), time: 1001 };
        watched.observer.answered(`other/${at}/el`, { values: {}, chain: { head, blocks: [] } }, watched.moment);
      }
      watched.observer.round(watched.moment);
    }
    expect(watched.events.map(({ kind, ...event }) => [kind, 'chain' in event && event.chain])).toEqual([
      ['head', 'other'],
      ['head', 'other'],
    ]);
    expect(watched.observer.isUrgent).toBe(true);
  });

  it('is no problem before its header fields are known, and has none when a node has lost its block', async () => {
    const [watched, nodes] = await network(5, 5, 5);
    nodes[2]!.blocks = blocksTo(5, 3);
    watched.poll(8);
    expect(watched.observer.symptoms(watched.moment)).toEqual([]);
    nodes[2]!.blocks = blocksTo(2);
    await told(watched);
    expect(watched.diverged[0]?.divergence).toMatchObject({ fields: [], reason: '' });
  });

  it('is no problem any more when its node has left the plan', async () => {
    const [watched] = await diverged();
    watched.plan = withNodes(watched.plan, (all) => all.slice(0, 2));
    expect(watched.observer.symptoms(watched.moment)).toEqual([]);
  });

  it('has no reason when a side does not serve its header', async () => {
    const [watched, nodes] = await network(5, 5, 5);
    nodes[2]!.blocks = blocksTo(5, 3);
    nodes[2]!.failing = true;
    watched.poll(8);
    await told(watched);
    expect(watched.diverged[0]?.divergence).toMatchObject({ block: 3, fields: [], reason: '' });
    const [symptom] = watched.observer.symptoms(watched.moment);
    expect(symptom?.what).toBe('has another block 3 than main/node-0');
    expect(symptom).not.toHaveProperty('because');
  });
});

describe('a block that a node refused', () => {
  /** A network in which `node-1` stands at block 5, with the logs of its processes. */
  async function stuck(home: string) {
    const [, nodes] = await network(5, 5, 5);
    const bare = planWith(nodes, home);
    const secret = 'ef'.repeat(32);
    const plan = { ...bare, tasks: bare.tasks.map((task) => ({ ...task, secrets: [secret] })) };
    const watched = new Watched(plan, nodes);
    const logs = ['el', 'cl'].map((process) =>
      String(plan.tasks.find(({ id }) => id === `main/node-1/${process}`)?.log),
    );
    mkdirSync(dirname(logs[0]!), { recursive: true });
    writeFileSync(logs[0]!, '');
    return { watched, nodes, el: logs[0]!, cl: logs[1]!, secret };
  }

  it.each(['el', 'cl'] as const)('is told with the words of its log (%s), without secrets', async (process) => {
    using folder = temporaryHome();
    const { watched, nodes, [process]: log, secret } = await stuck(folder.home);
    writeFileSync(log, `refused block 6: ${secret}\n`);
    watched.poll(2);
    for (const node of [nodes[0]!, nodes[2]!]) node.blocks = blocksTo(7);
    watched.poll(5);
    await told(watched);
    const words = 'refused block 6: [redacted]';
    expect(watched.diverged[0]).toMatchObject({
      divergence: { chain: 'main', block: 6, nodes: ['node-1'], kind: 'refused', fields: [], reason: words },
      against: 'node-0',
    });
    expect(watched.of('divergence')).toMatchObject([{ how: 'refused', reason: words }]);
    // Its headers are not read.
    expect(nodes.flatMap(({ requests }) => requests)).toEqual([]);
    expect(watched.observer.symptoms(watched.moment)).toMatchObject([
      { subject: 'main/node-1/el', what: 'refused block 6 of main/node-0', because: words },
    ]);
  });

  it('is not told with the words of the logs of other nodes', async () => {
    using folder = temporaryHome();
    const { watched, nodes } = await stuck(folder.home);
    for (const { id, log } of watched.plan.tasks) if (!id.includes('node-1')) writeFileSync(log, 'refused block 6\n');
    watched.poll(2);
    for (const node of [nodes[0]!, nodes[2]!]) node.blocks = blocksTo(7);
    watched.poll(6);
    await turn();
    expect(watched.diverged).toEqual([]);
  });

  it('is a problem of the nodes that have it, when they are the minority', async () => {
    using folder = temporaryHome();
    const { watched, nodes } = await stuck(folder.home);
    for (const { log } of watched.plan.tasks) writeFileSync(log, 'refused block 6\n');
    watched.poll(2);
    nodes[1]!.blocks = blocksTo(7);
    watched.poll(5);
    await told(watched);
    expect(watched.observer.symptoms(watched.moment)).toMatchObject([
      { subject: 'main/node-1/el', what: 'its block 6 was refused by main/node-0' },
    ]);
  });

  it('is looked for in the logs again and again, each time after twice as long', async () => {
    using folder = temporaryHome();
    const { watched, nodes, el } = await stuck(folder.home);
    watched.poll(2);
    for (const node of [nodes[0]!, nodes[2]!]) node.blocks = blocksTo(7);
    // It is stuck from the second on in which the others have more blocks and its head has not moved for 1.5 s.
    watched.poll(2);
    appendFileSync(el, 'refused block 6\n');
    let seconds = 0;
    while (watched.observer.symptoms(watched.moment).length === 0 && seconds < 30) {
      watched.poll();
      await Promise.resolve();
      seconds += 1;
    }
    expect(seconds).toBe(4);
  });

  it('is not looked for in the logs of a node that has left the plan', async () => {
    using folder = temporaryHome();
    const { watched, nodes, el } = await stuck(folder.home);
    writeFileSync(el, 'refused block 6\n');
    watched.poll(2);
    for (const node of [nodes[0]!, nodes[2]!]) node.blocks = blocksTo(7);
    watched.plan = withNodes(watched.plan, (all) => all.filter(({ name }) => name !== 'node-1'));
    watched.poll(6);
    await turn();
    expect(watched.diverged).toEqual([]);
  });
});

describe('the heads that a rollup node reports', () => {
  const report = (watched: Watched, hash: string, head = 'safe') => {
    const task = 'main/node-1/cl';
    const values = { [`${task} ${head}`]: { number: 4, hash }, [`${task} unsafe`]: { number: 5 } };
    watched.observer.answered(task, { values }, watched.moment);
  };

  it.each(['safe', 'finalized'])('are a problem when the execution client has another %s block', async (head) => {
    const [watched] = await network(5, 5);
    watched.poll();
    for (let at = 0; at < 8; at++) {
      report(watched, hashAt(4, 'c').toUpperCase(), head);
      watched.poll();
    }
    expect(watched.observer.symptoms(watched.moment)).toEqual([
      {
        ...{ id: `main/node-1/cl ${head}`, subject: 'main/node-1/cl', since: START_MS + 3000, causes: [] },
        what: `its ${head} head is block 4 (0xcccccccc…), its execution client has another one there (0xaaaaaaaa…)`,
      },
    ]);
    watched.plan = withNodes(watched.plan, (all) => all.slice(0, 1));
    expect(watched.observer.symptoms(watched.moment)).toEqual([]);
  });

  it('are no problem when they are the same in other letters', async () => {
    const [watched] = await network(5, 5);
    watched.poll();
    for (let at = 0; at < 8; at++) {
      report(watched, hashAt(4).toUpperCase().replace('0X', '0x'));
      watched.poll();
    }
    expect(watched.observer.symptoms(watched.moment)).toEqual([]);
  });
});
