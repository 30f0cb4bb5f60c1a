import { dirname } from 'node:path';
import { devnetAt, viewOf } from '../orchestrator/devnet/select.ts';
import { pathsOf } from '../orchestrator/state/paths.ts';
import { messageOf } from '../system/failure.ts';
import type { Devnet } from './network/devnet-types.ts';
import { type Heights, heightsOf, revertsSince } from './reverts.ts';

/** The evidence that a failed test leaves of its network. */
export interface Evidence {
  /** The test's name. */
  readonly test: string;
  /** Each transaction that reverted since the test began, as `devnet tx --trace` prints it. */
  readonly reverts: string;
  /** Phase, heads of every node, problems: a line each. */
  readonly state: string;
  /** The logs of all processes since the test began, at most the last lines of them. */
  readonly logs: string;
}

/** Lines of logs that are kept. */
const MAX_LOG_LINES = 2000;

/** The moment at which a test began. */
export interface Beginning {
  /** Unix milliseconds. */
  readonly since: number;
  readonly heights: Heights;
}

/** Reads where a network is when a test begins. A network that does not answer has no heights. */
export async function beginningOf(net: Devnet): Promise<Beginning> {
  const since = Date.now();
  try {
    return { since, heights: await heightsOf(planOf(net)) };
  } catch {
    return { since, heights: new Map() };
  }
}

/** Reads what a test that failed did to a network, its state and its logs. A network that is gone says so. */
export async function evidenceOf(net: Devnet, test: string, { since, heights }: Beginning): Promise<Evidence> {
  const reverts = await revertsOf(net, heights);
  return { test, reverts, ...(await stateOf(net, since)) };
}

/** Formats evidence: the test, the reverted transactions, then heads and logs. */
export function evidenceText({ test, reverts, state, logs }: Evidence): string {
  return [`failed: ${test}`, reverts, state, logs].filter((part) => part !== '').join('\n');
}

function planOf({ folder, name }: Devnet) {
  return viewOf(devnetAt(pathsOf(dirname(folder), name))).plan;
}

async function revertsOf(net: Devnet, heights: Heights): Promise<string> {
  try {
    return (await revertsSince(planOf(net), heights)).join('\n');
  } catch (error) {
    return `reverted transactions cannot be read: ${messageOf(error)}`;
  }
}

async function stateOf(net: Devnet, since: number): Promise<Pick<Evidence, 'state' | 'logs'>> {
  try {
    const { phase, chains, problems } = await net.status();
    const heads = chains.flatMap((chain) =>
      chain.nodes.map(({ name, heads: { unsafe, safe, finalized } }) => {
        const words = Object.entries({ unsafe, safe, finalized }).map(([tag, head]) => `${tag} ${head?.number ?? '-'}`);
        return `${chain.name}/${name}  ${words.join(' ')}  ${unsafe?.hash ?? ''}`;
      }),
    );
    const late = problems.map(({ subject, what, because }) => `${subject} ${what}${because ? `: ${because}` : ''}`);
    const lines = net.logs({ since }).slice(-MAX_LOG_LINES);
    return { state: [`${net.name} is ${phase}`, ...heads, ...late].join('\n'), logs: lines.join('\n') };
  } catch (error) {
    return {
      state: `${net.name} does not answer: ${messageOf(error)}`,
      logs: '',
    };
  }
}
