import * as z from 'zod/mini';
import type { ChainGenesisInputs, L1GenesisInputs } from '../../protocol/genesis/index.ts';
import type { Hex } from '../../protocol/types.ts';
import { port, rate, second, wait } from '../../system/numbers/schema.ts';
import type { Probe } from '../probe/kinds.ts';
import { CLIENT_KINDS } from '../spec/resolve/client.ts';

export type { Probe };

/** A value of a schema that does not change. */
type Immutable<T> = unknown extends T ? T : T extends object ? { readonly [Key in keyof T]: Immutable<T[Key]> } : T;

const { exactOptional: optional } = z;
const text = z.string();
const words = z.array(text);
const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[\da-f]*$/i.test(value), 'hex');
const mapOf = <Value extends z.core.SomeType>(value: Value) => z.record(text, value);
const isObject = (value: unknown) => typeof value === 'object' && value !== null;

const anyProbe = z.object({ kind: text, description: text });
/** Each kind of probe says itself what it holds. */
const probe = z.custom<Probe>((value) => z.safeParse(anyProbe, value).success, 'a probe');

const command = z.object({ argv: words, cwd: text, env: mapOf(text) });

/** Content that stands for itself, or that a pure function renders. */
const whole = [
  z.object({ kind: z.literal('text'), text }),
  z.object({ kind: z.literal('l1-genesis'), inputs: z.custom<L1GenesisInputs>(isObject, 'inputs of a genesis') }),
  z.object({ kind: z.literal('l2-genesis'), inputs: z.custom<ChainGenesisInputs>(isObject, 'inputs of a genesis') }),
  z.object({ kind: z.literal('upgrade-bundle'), fork: text }),
] as const;

/** A file without the keys at these paths: one of the plan, or one of the user's. */
const without = z.object({
  kind: z.literal('without'),
  of: z.discriminatedUnion('kind', [...whole, z.object({ kind: z.literal('file'), path: text })]),
  keys: words,
});

/** Content of a file. */
const content = z.discriminatedUnion('kind', [...whole, without]);

const file = z.object({
  path: text,
  /** 0o600 for secrets. */
  mode: z.int().check(z.gte(0), z.lte(0o7777)),
  secret: z.boolean(),
  content,
});

const kind = z.enum([...CLIENT_KINDS, 'tunnel']);

const plannedPort = z.object({ name: text, host: text, port, transport: z.enum(['tcp', 'udp']) });

/** What a task's container is made of, beside its command. */
const container = z.object({
  image: text,
  /** Whether it is the package's own image, which is built if it is absent. */
  own: z.boolean(),
  /** Whether the image's entry point is the program, so that `argv` begins with its arguments. */
  entry: z.boolean(),
  limits: optional(z.object({ cpus: optional(z.number()), memory: optional(z.number()) })),
});

const task = z.object({
  /** `l1`, `l1-beacon`, `<chain>/<node>/el`, `<chain>/<node>/cl`, `<chain>/batcher`, `<chain>/proposer`, … */
  id: text,
  kind,
  chain: optional(text),
  node: optional(text),
  /** Template name, for messages. */
  client: text,
  launch: z.enum(['spawn', 'manual', 'external']),
  /**
   * network: its blocks follow the network's clock. wall: they follow the machine's clock. none: it depends on no
   * clock.
   */
  clock: z.enum(['network', 'wall', 'none']),
  /** Commands that run one after another before the main command. Each must exit with 0. */
  prepare: z.array(command),
  command,
  /**
   * Rewinds the chain while the process is stopped. The block number follows as the last word. Absent: not supported.
   */
  rewind: optional(command),
  /**
   * Its command if a file exists that holds its state, and the planned files that it reads then. Present for clients
   * that keep their chain in memory only.
   */
  resume: optional(z.object({ file: text, command, reads: words })),
  /** Makes the binary print its version; absent if the program is a part of this package. */
  version: optional(command),
  /** Keys and JWT secrets of the process. They are redacted wherever its command or output is printed. */
  secrets: words,
  /** Tasks that it depends on, with the state that it waits for. */
  needs: z.array(z.object({ task: text, until: z.enum(['spawned', 'ready']) })),
  /** Starts when the network is ready, and is no part of its readiness. */
  late: optional(z.literal(true)),
  /** Paths of the files of the plan that its commands read. */
  reads: words,
  ports: z.array(plannedPort),
  /** Usual time (ms) between two of its transactions on L1, if its options or the spec give one. */
  paceMs: optional(z.number()),
  /** Arguments that the spec adds or replaces; null: removed. */
  given: optional(mapOf(z.nullable(text))),
  /** It posts finalized blocks, not safe ones. */
  postsFinalized: optional(z.boolean()),
  /** Default time (ms) between two reads of L1 by a rollup node. */
  polls: optional(z.object({ l1HeadMs: z.number(), l1FinalityMs: z.number() })),
  /** Regular expressions for log lines that never count as complaints. */
  harmless: optional(words),
  /**
   * RPC method that receives the newest block of its execution client (`head`) at every start, before it is ready.
   */
  firstBlock: optional(z.object({ rpc: text, method: text, head: text })),
  /** Probes that must all succeed before the task is ready. */
  ready: z.array(probe),
  /** Probes that run from time to time once the task is ready. */
  live: z.array(probe),
  stop: z.object({
    signal: z.enum(['SIGTERM', 'SIGINT', 'SIGQUIT']),
    graceMs: wait,
    /** Time before the signal is sent a second time. */
    againMs: optional(wait),
  }),
  onExit: z.enum(['fail', 'restart', 'ignore']),
  /** stdout and stderr of the process. */
  log: text,
  /** Its container. Absent: it runs as a process of this machine. */
  container: optional(container),
  /** A program of this package: it ends itself when the supervisor is gone. */
  lifeline: z.boolean(),
});

/** Activation times by fork in Unix seconds; null: never. */
const forkTimes = mapOf(z.nullable(z.number()));

/**
 * A funded account or a role. Private keys are present only if they are public. Processes hold the keys of their
 * roles in files; keys of addresses that the user named are unknown.
 */
const account = z.object({ address: hex, privateKey: optional(hex), role: optional(text) });

const poster = z.object({ task: text, rpc: optional(text) });

const node = z.object({
  name: text,
  role: z.enum(['sequencer', 'verifier']),
  el: z.object({
    task: text,
    client: text,
    implementation: text,
    http: text,
    ws: text,
    engine: text,
    jwt: text,
  }),
  cl: z.object({ task: text, client: text, implementation: text, rpc: text, p2p: text, peerId: text }),
  /** Its own conductor, of a set whose conductors elect the leader. */
  conductor: optional(poster),
  /** Name of the node whose safe and finalized heads it follows. Absent: it derives them. */
  follows: optional(text),
  /** Whether it receives blocks by gossip. Without gossip it has only what it derives from L1. */
  gossip: z.boolean(),
  /** Fork → Unix seconds, null: never. Only forks whose time differs from the chain's. */
  overrides: forkTimes,
});

/** The published bytecode, this package's own contracts, or a file of the spec. */
const bundleOrigin = z.enum(['official', 'unofficial', 'given']);

const chain = z.object({
  name: text,
  chainId: z.number(),
  blockTime: z.number(),
  genesisHash: text,
  /** Name → address, of L1 and L2. */
  contracts: z.object({ l1: mapOf(hex), l2: mapOf(hex) }),
  accounts: z.array(account),
  /**
   * Fork → Unix seconds; null: the spec says never. 0 or the genesis time: active from genesis.
   * Forks that are not scheduled are absent.
   */
  forks: forkTimes,
  /** By fork that activates in mid-chain with upgrade transactions: where their code comes from. */
  bundles: optional(mapOf(bundleOrigin)),
  genesisFile: text,
  rollupFile: text,
  nodes: z.array(node),
  batcher: optional(poster),
  proposer: optional(poster),
  challenger: optional(poster),
  signer: optional(poster),
  daServer: optional(poster),
  conductor: optional(poster),
});

/** The addresses and facts that `status`, `env`, `accounts`, `check` and the observers read. */
const network = z.object({
  l1: z.object({
    chainId: z.number(),
    /** URL for all that use L1: of the gate, if there is one. */
    rpc: text,
    ws: text,
    /** URLs of L1 itself, for what observes it or makes its blocks. */
    direct: z.object({ rpc: text, ws: text }),
    beacon: text,
    genesisHash: text,
    blockTime: z.number(),
    /** Public contracts by name; those of a chain stand in its view. */
    contracts: mapOf(hex),
  }),
  chains: z.array(chain),
});

const place = z.object({ host: text, port });

/** A proxy of the supervisor between a task and a port of another one. */
const link = z.object({
  /** `link:<from>><to>:<port>` */
  id: text,
  /** A task, or `*` for any peer. */
  from: text,
  to: text,
  /** Name of the port of `to`. */
  port: text,
  transport: z.enum(['tcp', 'udp']),
  listen: place,
  target: place,
});

const dashboard = z.object({
  url: text,
  port,
  command,
  /** Its output. */
  log: text,
});

const plan = z.object({
  version: z.literal(1),
  devnet: text,
  /** Absolute path of the devnet's folder; every other path below is absolute too. */
  home: text,
  seed: z.number(),
  /** Unix seconds, genesis of L1 and L2. */
  genesisTime: second,
  /** How the network's clock moves. `rate`: chain seconds of a second; without meaning on a stepped clock. */
  time: z.object({ clock: z.enum(['wall', 'instant', 'stepped']), rate }),
  /** In the order in which they are written. */
  files: z.array(file),
  /** In the order in which they start. Every task stands behind those that it needs. */
  tasks: z.array(task),
  network,
  /** Name of the package's own container image. */
  image: text,
  /** Size at which the log of a process is rotated. */
  logBytes: z.number(),
  /** The links between its tasks, if the spec says `faults: true`. Without it, tasks call each other directly. */
  links: optional(z.array(link)),
  /** Its page, if the spec asks for one. It runs beside the tasks, from when the network is ready. */
  dashboard: optional(dashboard),
  /** Where its traces are sent, if the spec says so. */
  otel: optional(z.object({ endpoint: text })),
  /** Folder with the user's ABIs, with which blocks and transactions are decoded. */
  abi: optional(text),
  /**
   * Numbers of all reserved ports by `<task>:<port>`, also of those that an argument opens in a later change. Absent in
   * a plan that reserves none.
   */
  ports: optional(mapOf(port)),
  /** Printed for the user, for example clients that read the machine's clock. */
  notices: words,
});

type Of<Schema extends z.core.$ZodType> = Immutable<z.output<Schema>>;

/**
 * Everything that `devnet up` does, as plain printable data.
 * The supervisor takes a plan and no other input, so no default and no reference is left open. `devnet plan --json`
 * prints it.
 */
export type Plan = Of<typeof plan>;

/** Checks plans, so that the types of this file are true of them. The control socket alone loads it at run time. */
export const planSchema: z.ZodMiniType<Plan> = plan;

export type PlannedDashboard = Of<typeof dashboard>;
export type Link = Of<typeof link>;
export type PlannedFile = Of<typeof file>;
/**
 * Content of a file. A large one holds the inputs of the pure function that renders it, which also computed the
 * plan's hashes.
 */
export type FileContent = Of<typeof content>;
export type Command = Of<typeof command>;
export type TaskKind = Of<typeof kind>;
export type Task = Of<typeof task>;
export type Container = Of<typeof container>;
export type PlannedPort = Of<typeof plannedPort>;
export type ChainView = Of<typeof chain>;
export type NodeView = Of<typeof node>;
export type BundleOrigin = Of<typeof bundleOrigin>;
export type ForkTimes = Of<typeof forkTimes>;
