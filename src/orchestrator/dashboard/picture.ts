import { type ProcessUse, processUse } from '../../system/process/use.ts';
import { timeAt } from '../../system/time/clock.ts';
import { causeText, faultsOf } from '../faults/describe.ts';
import type { Snapshot } from '../metrics/snapshot.ts';
import { listedTasks } from '../plan/order.ts';
import { NO_FAULTS } from '../state/faults.ts';
import type { Problem } from '../state/problem.ts';
import { forkTable } from '../status/forks.ts';
import { explanations } from './explanation.ts';
import type { Links } from './links.ts';
import type { Picture, PictureChain, PictureProcess } from './picture-type.ts';

/** Entries of each list that a picture holds: what is longer is cut. */
const MAX_LIST_ENTRIES = 100;
/** Characters of a text that a picture holds. */
const MAX_TEXT_CHARS = 2000;
const cut = (text: string): string => (text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}…` : text);

/**
 * Makes pictures of snapshots. It keeps the last one, from which processor use is counted.
 * `id`: what tells the devnet from others of its name.
 * `serverPid`: the process that serves the page, which no supervisor counts.
 */
export function pictures(serverPid: number): (snapshot: Snapshot, id: string, links?: Links) => Picture {
  let before: Pick<Snapshot, 'at' | 'uses'> | undefined;
  const explain = explanations();
  return (snapshot, id, links) => {
    const { plan, state, isUp, at, gathered, divergences } = snapshot;
    const use = processUse(serverPid);
    const uses = use === undefined ? snapshot.uses : new Map([...snapshot.uses, ['dashboard', use] as const]);
    const processes = [...processesOf({ ...snapshot, uses }, before), ownProcess(serverPid, uses, at, before)];
    before = { at, uses };
    const { l1 } = plan.network;
    return {
      ...{ name: plan.devnet, id, phase: state.phase, isUp, at, startedAt: state.startedAt },
      genesisTime: plan.genesisTime,
      clock: { at: timeAt(state.clock, at), rate: state.clock.rate },
      problems: problemsOf(snapshot).map((each) => {
        return { ...each, because: each.because === null ? null : cut(each.because) };
      }),
      faults: isUp
        ? faultsOf(state.faults ?? NO_FAULTS)
            .slice(0, MAX_LIST_ENTRIES)
            .map(causeText)
            .map(cut)
        : [],
      divergences: divergences.slice(0, MAX_LIST_ENTRIES).map((each) => {
        return { ...each, reason: cut(each.reason), fields: each.fields.slice(0, MAX_LIST_ENTRIES) };
      }),
      reports: (state.reports ?? []).slice(-MAX_LIST_ENTRIES).map((report) => {
        const { chain, block, nodes, lines, over } = report;
        const cause = explain(report)?.cause;
        return {
          ...{ chain, block, nodes, lines: lines.slice(0, MAX_LIST_ENTRIES).map(cut) },
          ...{ cause: cause === undefined ? null : cut(cause), isOver: over !== undefined },
        };
      }),
      l1: { rpc: l1.rpc, chainId: l1.chainId, head: gathered?.l1Head ?? null },
      chains: chainsOf(snapshot, links),
      processes,
    };
  };
}

/** The problems of the network, and that of its traces. */
function problemsOf({ isUp, state }: Snapshot): readonly Problem[] {
  const traces = isUp && state.traces !== undefined ? [state.traces] : [];
  return [...state.problems, ...traces].slice(0, MAX_LIST_ENTRIES);
}

function chainsOf({ plan, state, at, gathered }: Snapshot, links: Links | undefined): readonly PictureChain[] {
  return plan.network.chains.map((chain) => {
    const live = gathered?.chains.find(({ name }) => name === chain.name);
    const moment = { genesisTime: plan.genesisTime, now: timeAt(state.clock, at) / 1000 };
    return {
      ...{ name: chain.name, chainId: chain.chainId },
      nodes: chain.nodes.map(({ name, role, el, cl }) => {
        const liveNode = live?.nodes.find((node) => node.name === name);
        return {
          ...{ name, role, phase: liveNode?.phase ?? 'stopped', el: el.client, cl: cl.client, http: el.http },
          ...{ unsafe: liveNode?.unsafe ?? null, safe: liveNode?.safe ?? null, finalized: liveNode?.finalized ?? null },
          ...{
            rate: liveNode?.rate ?? null,
            behind: liveNode?.behind ?? null,
            peers: links?.get(`${chain.name}/${name}`) ?? [],
          },
        };
      }),
      forks: forkTable(chain, moment, gathered?.heads ?? new Map()),
      posters: (live?.posters ?? []).map(({ name, phase, posts, lastPostMs, cost }) => {
        return { name, phase, posts, lastPostMs, spent: String(cost) };
      }),
    };
  });
}

function processesOf(
  { plan, state, isUp, at, uses }: Snapshot,
  before: Pick<Snapshot, 'at' | 'uses'> | undefined,
): readonly PictureProcess[] {
  const supervisor = { id: 'supervisor', client: 'devnet' };
  return [supervisor, ...listedTasks(plan)].map(({ id, client }) => {
    const taskState = state.tasks[id];
    const phase = id === 'supervisor' ? (isUp ? 'ready' : 'stopped') : (taskState?.phase ?? 'waiting');
    const pid = id === 'supervisor' ? state.supervisor.pid : (taskState?.process?.pid ?? null);
    return {
      ...{ task: id, client, phase: isUp ? phase : 'stopped', pid: isUp ? pid : null },
      restarts: taskState?.restarts ?? 0,
      ...measured(id, uses, at, before),
    };
  });
}

function ownProcess(
  pid: number,
  uses: Snapshot['uses'],
  at: number,
  before: Pick<Snapshot, 'at' | 'uses'> | undefined,
): PictureProcess {
  const process = { task: 'dashboard', client: 'devnet', phase: 'ready', pid, restarts: 0 };
  return { ...process, ...measured('dashboard', uses, at, before) };
}

function measured(
  id: string,
  uses: Snapshot['uses'],
  at: number,
  before: Pick<Snapshot, 'at' | 'uses'> | undefined,
): Pick<PictureProcess, 'cpu' | 'residentBytes' | 'threads' | 'openFiles'> {
  const use = uses.get(id);
  return {
    cpu: shareOf(use, before?.uses.get(id), at - (before?.at ?? at)),
    residentBytes: use?.residentBytes ?? null,
    ...{ threads: use?.threads ?? null, openFiles: use?.openFiles ?? null },
  };
}

function shareOf(now: ProcessUse | undefined, before: ProcessUse | undefined, ms: number): number | null {
  if (now === undefined || before === undefined || ms <= 0) return null;
  return Math.max(0, ((now.cpuSeconds - before.cpuSeconds) * 1000) / ms);
}
