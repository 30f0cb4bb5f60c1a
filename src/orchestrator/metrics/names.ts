interface Metric {
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly labels?: readonly string[];
}

const gauge = (help: string, ...labels: string[]): Metric => ({ help, type: 'gauge', labels });
const counter = (help: string, ...labels: string[]): Metric => ({ help, type: 'counter', labels });

/** Every metric of a network. Each has the label `devnet` too. Names and labels are only ever added. */
export const METRICS = {
  devnet_info: gauge('Version of this package', 'version'),
  devnet_up: gauge('1: a supervisor runs the network'),
  devnet_phase: gauge('1 for the phase of the network, 0 for the others', 'phase'),
  devnet_start_time_seconds: gauge('Unix time of the start'),
  devnet_start_duration_seconds: gauge(
    'Seconds from the read spec to all processes spawned, answering, agreed on a block, and to a safe block',
    'stamp',
  ),
  devnet_clock_time_seconds: gauge("Time of the network's clock, Unix seconds"),
  devnet_clock_rate: gauge("Rate of the network's clock against the wall clock; 0: it stands"),
  devnet_l1_head_block: gauge('Head of L1'),
  devnet_problems: gauge('Processes that stand still, do not answer, are down or are in a minority'),
  devnet_problem_since_seconds: gauge('Unix time since when a process has its problem', 'subject'),
  devnet_chain_agrees: gauge('1: no node of the chain has other blocks than the majority', 'chain'),
  devnet_divergence_block: gauge('First block in which these nodes differ', 'chain', 'nodes'),
  devnet_divergence_reports: gauge('Reports of divergences since the start'),
  devnet_process_ready: gauge('1: the process answers all its probes', 'task', 'client', 'chain', 'node'),
  devnet_process_restarts_total: counter('Restarts after an exit', 'task'),
  devnet_process_cpu_seconds_total: counter('Processor time of all threads', 'task'),
  devnet_process_resident_memory_bytes: gauge('Memory in RAM', 'task'),
  devnet_process_threads: gauge('Threads (Linux)', 'task'),
  devnet_process_open_files: gauge('Open files and sockets (Linux)', 'task'),
  devnet_node_answers: gauge('1: the execution client answers', 'chain', 'node', 'role'),
  devnet_head_block: gauge('Number of a head: unsafe, safe or finalized', 'chain', 'node', 'head'),
  devnet_node_lag_blocks: gauge("Blocks behind the chain's highest head", 'chain', 'node'),
  devnet_node_lag_seconds: gauge("Seconds of the network's clock since the unsafe head", 'chain', 'node'),
  devnet_node_peers: gauge('Connected peers of the rollup node', 'chain', 'node'),
  devnet_poster_l1_transactions_total: counter('L1 transactions of the batcher or the proposer', 'task'),
  devnet_poster_l1_balance_ether: gauge('L1 balance of the batcher or the proposer', 'task'),
  devnet_fork_activation_time_seconds: gauge('Unix time of the activation; 0: genesis', 'chain', 'fork'),
  devnet_fork_active: gauge('1: the head of the node is past its activation', 'chain', 'node', 'fork'),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;
