import { Counter, Gauge, Registry } from 'prom-client';
import { timeAt } from '../../system/time/clock.ts';
import type { Phase } from '../state/state.ts';
import { activationOf } from '../status/forks.ts';
import { METRICS, type MetricName } from './names.ts';
import type { Snapshot } from './snapshot.ts';

type Labels = Readonly<Record<string, string>>;

/** Sets the value of a metric. */
type Put = (name: MetricName, value: number | null | undefined, labels?: Labels) => void;

const PHASES = ['starting', 'ready', 'degraded', 'stopping', 'stopped', 'failed'] as const satisfies readonly Phase[];
const HEADS = ['unsafe', 'safe', 'finalized'] as const;
/** Wei of an ether. */
const ETHER = 1e18;

/** The media type of {@link metricsText}. */
export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Writes a snapshot in Prometheus' text format. */
export async function metricsText(snapshot: Snapshot, version: string): Promise<string> {
  const registry = new Registry();
  registry.setDefaultLabels({ devnet: snapshot.plan.devnet });
  const metrics = new Map<string, Gauge | Counter>();
  const put: Put = (name, value, labels = {}) => {
    if (value == null) return;
    const { help, type, labels: labelNames = [] } = METRICS[name];
    const Kind = type === 'counter' ? Counter : Gauge;
    const metric = metrics.get(name) ?? new Kind({ name, help, labelNames: [...labelNames], registers: [registry] });
    metrics.set(name, metric);
    metric.inc(labels, value);
  };
  put('devnet_info', 1, { version });
  ofNetwork(snapshot, put);
  ofProcesses(snapshot, put);
  ofChains(snapshot, put);
  return registry.metrics();
}

function ofNetwork({ plan, state, isUp, at, gathered, divergences }: Snapshot, put: Put): void {
  put('devnet_up', Number(isUp));
  for (const phase of PHASES) put('devnet_phase', Number(state.phase === phase), { phase });
  const { parsed, ...stamps } = state.stamps;
  for (const [stamp, time] of Object.entries(stamps))
    if (parsed !== undefined) put('devnet_start_duration_seconds', (time - parsed) / 1000, { stamp });
  put('devnet_start_time_seconds', state.startedAt / 1000);
  put('devnet_clock_time_seconds', timeAt(state.clock, at) / 1000);
  put('devnet_clock_rate', state.clock.rate);
  put('devnet_l1_head_block', gathered?.l1Head);
  put('devnet_problems', state.problems.length);
  for (const { subject, since } of state.problems) put('devnet_problem_since_seconds', since / 1000, { subject });
  put('devnet_divergence_reports', state.reports?.length ?? 0);
  for (const { name } of plan.network.chains) {
    const ofChain = divergences.filter(({ chain }) => chain === name);
    if (isUp) put('devnet_chain_agrees', Number(ofChain.length === 0), { chain: name });
    for (const { block, nodes } of ofChain)
      put('devnet_divergence_block', block, { chain: name, nodes: [...nodes].sort().join(',') });
  }
}

function ofProcesses({ plan, state, isUp, uses }: Snapshot, put: Put): void {
  for (const { id, client, chain, node } of plan.tasks) {
    const taskState = state.tasks[id];
    const labels = { task: id, client, chain: chain ?? '', node: node ?? '' };
    put('devnet_process_ready', Number(isUp && taskState?.phase === 'ready'), labels);
    put('devnet_process_restarts_total', taskState?.restarts ?? 0, { task: id });
  }
  for (const [task, { cpuSeconds, residentBytes, threads, openFiles }] of uses) {
    put('devnet_process_cpu_seconds_total', cpuSeconds, { task });
    put('devnet_process_resident_memory_bytes', residentBytes, { task });
    put('devnet_process_threads', threads, { task });
    put('devnet_process_open_files', openFiles, { task });
  }
}

function ofChains({ plan, state, at, gathered }: Snapshot, put: Put): void {
  const now = timeAt(state.clock, at) / 1000;
  for (const live of gathered?.chains ?? []) {
    const view = plan.network.chains.find(({ name }) => name === live.name);
    if (view === undefined) continue;
    for (const { name: node, role, behind, peers } of live.nodes) {
      const place = { chain: live.name, node };
      const heads = gathered?.heads.get(`${live.name}/${node}`);
      put('devnet_node_answers', Number(heads?.unsafe != null), { ...place, role });
      for (const head of HEADS) put('devnet_head_block', heads?.[head]?.number, { ...place, head });
      put('devnet_node_lag_blocks', behind, place);
      const time = heads?.unsafe?.time;
      put('devnet_node_lag_seconds', time === undefined ? null : Math.max(0, now - time), place);
      put('devnet_node_peers', peers, place);
    }
    for (const { name: task, nonce, balance } of live.posters) {
      put('devnet_poster_l1_transactions_total', nonce, { task });
      put('devnet_poster_l1_balance_ether', balance === null ? null : Number(balance) / ETHER, { task });
    }
    for (const [fork, time] of Object.entries(view.forks)) {
      put('devnet_fork_activation_time_seconds', time, { chain: live.name, fork });
      for (const node of view.nodes) {
        const activation = activationOf(fork, view, node);
        const head = gathered?.heads.get(`${live.name}/${node.name}`)?.unsafe;
        const isActive = activation !== null && head != null && head.time >= activation;
        put('devnet_fork_active', Number(isActive), { chain: live.name, node: node.name, fork });
      }
    }
  }
}
