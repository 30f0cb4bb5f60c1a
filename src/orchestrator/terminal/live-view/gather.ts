import { jsonField } from '../../../rpc/json-object.ts';
import { timeAt } from '../../../system/time/clock.ts';
import type { ChainView, Plan } from '../../plan/plan.ts';
import { clientFor } from '../../probe/call.ts';
import type { State } from '../../state/state.ts';
import { forkTable } from '../../status/forks.ts';
import { type Heads, readHeads } from '../../status/heads.ts';
import { type Leaders, leaderIn, readLeaders } from '../../status/leaders.ts';
import type { LiveChain, LiveNode, LivePoster } from './view.ts';

/** Timeout (ms) of a request. */
const GATHER_TIMEOUT_MS = 3000;
/** Heads over this time (ms) give the blocks per second. */
const SPEED_WINDOW_MS = 10_000;

/** Transactions and balance on L1 of an account that posts. */
interface Account {
  readonly nonce: number;
  readonly balance: bigint;
}

/** What one round of requests found. */
export interface Gathered {
  readonly l1Head: number | null;
  readonly chains: readonly LiveChain[];
  /** By `<chain>/<node>`. */
  readonly heads: ReadonlyMap<string, Heads>;
}

/** Gathers what the live view shows. It keeps the heads of the last seconds, and the first balances. */
export interface Gatherer {
  /** Asks the nodes at once, even if the state is still to come. */
  gather(plan: Plan, state: State | Promise<State>): Promise<Gathered>;
}

/** Creates the gatherer of one view. */
export function gatherer(): Gatherer {
  const history = new Map<string, { readonly at: number; readonly number: number }[]>();
  const first = new Map<string, Account>();
  const last = new Map<string, { readonly nonce: number; readonly at: number | null }>();

  function rateOf(key: string, head: number | undefined): number | null {
    const now = performance.now();
    const samples = (history.get(key) ?? []).filter(({ at }) => now - at <= SPEED_WINDOW_MS);
    if (head !== undefined) samples.push({ at: now, number: head });
    history.set(key, samples);
    const [oldest] = samples;
    if (oldest === undefined || head === undefined || now - oldest.at < 2000) return null;
    return Math.max(0, ((head - oldest.number) / (now - oldest.at)) * 1000);
  }

  function posterOf(name: string, phase: string, account: Account | undefined): LivePoster {
    const { nonce = null, balance = null } = account ?? {};
    if (account === undefined) return { name, phase, nonce, balance, posts: 0, lastPostMs: null, cost: 0n };
    const earlier = first.get(name);
    // An account of fewer transactions is that of an earlier state, or of another devnet.
    const begin = earlier === undefined || earlier.nonce > account.nonce ? account : earlier;
    first.set(name, begin);
    const before = last.get(name) ?? { nonce: account.nonce, at: null };
    const at = account.nonce > before.nonce ? performance.now() : before.at;
    last.set(name, { nonce: account.nonce, at });
    return {
      ...{ name, phase, nonce, balance },
      posts: account.nonce - begin.nonce,
      lastPostMs: at === null ? null : performance.now() - at,
      cost: begin.balance - account.balance,
    };
  }

  async function chainOf(
    plan: Plan,
    state: State,
    { chain, peers: stats, accounts }: Queries,
    { heads, leaders }: { readonly heads: HeadsByNode; readonly leaders: Leaders },
  ) {
    const phase = (task: string) => state.tasks[task]?.phase ?? 'external';
    const numbers = chain.nodes.map(({ name }) => heads.get(`${chain.name}/${name}`)?.unsafe?.number ?? -1);
    const highest = Math.max(...numbers);
    const leader = leaderIn(chain, leaders);
    const peers = await stats;
    const nodes = chain.nodes.map((node, index): LiveNode => {
      const key = `${chain.name}/${node.name}`;
      const nodeHeads = heads.get(key);
      const unsafe = nodeHeads?.unsafe?.number;
      const phases = [phase(node.el.task), phase(node.cl.task)].filter((each) => each !== 'external');
      return {
        ...{ name: node.name, role: node.role, leads: node === leader },
        phase: phases.find((each) => each !== 'ready') ?? 'ready',
        unsafe: unsafe ?? null,
        safe: nodeHeads?.safe?.number ?? null,
        finalized: nodeHeads?.finalized?.number ?? null,
        rate: rateOf(key, unsafe),
        behind: unsafe === undefined ? null : highest - unsafe,
        peers: peers[index] ?? null,
      };
    });
    const moment = { genesisTime: plan.genesisTime, now: timeAt(state.clock, Date.now()) / 1000 };
    const posters = await Promise.all(
      (['batcher', 'proposer', 'challenger'] as const).flatMap((role) => {
        const task = chain[role]?.task;
        return task === undefined ? [] : [accounts[role].then((account) => posterOf(task, phase(task), account))];
      }),
    );
    return { name: chain.name, nodes, forks: forksToCome(chain, moment, heads), posters };
  }

  return {
    async gather(plan, pending) {
      const queries = plan.network.chains.map((chain) => askedOf(plan, chain));
      const answers = Promise.all([readHeads(plan), numberAt(plan), readLeaders(plan)]);
      const [state, [heads, l1Head, leaders]] = await Promise.all([pending, answers]);
      const chains = await Promise.all(queries.map((each) => chainOf(plan, state, each, { heads, leaders })));
      return { l1Head, chains, heads };
    },
  };
}

type HeadsByNode = ReadonlyMap<string, Heads>;

type PosterRole = 'batcher' | 'proposer' | 'challenger';

/** Requests under way about a chain. None of them fails. */
interface Queries {
  readonly chain: ChainView;
  readonly peers: Promise<readonly (number | null)[]>;
  readonly accounts: Readonly<Record<PosterRole, Promise<Account | undefined>>>;
}

function forksToCome(
  chain: ChainView,
  moment: { readonly genesisTime: number; readonly now: number },
  heads: HeadsByNode,
): LiveChain['forks'] {
  return forkTable(chain, moment, heads).flatMap(({ fork, secondsToGo, block }) =>
    secondsToGo === null || secondsToGo === 0 ? [] : [{ fork, secondsToGo, block }],
  );
}

function askedOf(plan: Plan, chain: ChainView): Queries {
  const account = (role: PosterRole) =>
    accountAt(plan, chain[role] && chain.accounts.find((each) => each.role === role)?.address);
  return {
    chain,
    peers: Promise.all(chain.nodes.map(({ cl }) => peersAt(cl.rpc))),
    accounts: { batcher: account('batcher'), proposer: account('proposer'), challenger: account('challenger') },
  };
}

async function numberAt({ network }: Plan): Promise<number | null> {
  try {
    return Number(await clientFor(network.l1.direct.rpc).call('eth_blockNumber', [], { timeoutMs: GATHER_TIMEOUT_MS }));
  } catch {
    return null;
  }
}

async function peersAt(url: string): Promise<number | null> {
  try {
    const answer = await clientFor(url).call('opp2p_peerStats', [], { timeoutMs: GATHER_TIMEOUT_MS });
    const connected = jsonField(answer, 'connected');
    return typeof connected === 'number' ? connected : null;
  } catch {
    return null;
  }
}

async function accountAt({ network }: Plan, address: string | undefined): Promise<Account | undefined> {
  if (address === undefined) return undefined;
  try {
    const [nonce, balance] = await clientFor(network.l1.direct.rpc).batch(
      ['eth_getTransactionCount', 'eth_getBalance'].map((method) => ({ method, params: [address, 'latest'] })),
      { timeoutMs: GATHER_TIMEOUT_MS },
    );
    if (!nonce?.ok || !balance?.ok) return undefined;
    return { nonce: Number(nonce.result), balance: BigInt(String(balance.result)) };
  } catch {
    return undefined;
  }
}
