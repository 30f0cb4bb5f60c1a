import type { ProbeTemplate } from '../probe/kinds.ts';
import type { ClientFacts } from '../spec/resolve/client.ts';
import type { OmittedKeys } from '../spec/schema/types.ts';

/** Text with `${…}` references, split at them. */
export interface Text {
  readonly parts: readonly (string | { readonly reference: string })[];
}

/** An argument's value in a template. Null: not given; a list gives the option several times. */
export type ArgumentTemplate = number | boolean | null | Text | readonly Text[];

export interface OptionsTemplate {
  readonly args: Readonly<Record<string, ArgumentTemplate>>;
  readonly env: Readonly<Record<string, Text>>;
}

/** How a client is launched, probed and stopped. Loaded from `templates/<name>.yaml`, the same for every plan. */
export interface ClientTemplate extends ClientFacts, OptionsTemplate {
  /** Nodes of one implementation agree with themselves; agreement counts these. */
  readonly implementation: string;
  /** What a rollup node is told that its execution client is. */
  readonly engineKind: string | null;
  /** Whether an execution client serves its Engine API by WebSocket too. */
  readonly engineWs: boolean;
  /** The state root of L1's block 0: that of the genesis state, or that of the empty trie. */
  readonly stateRoot: 'genesis' | 'empty';
  readonly runs: {
    /** A program of this package. */
    readonly embedded?: string;
    /** A binary, unless the spec names another; null: the spec has to. */
    readonly process?: Text | null;
    /** Its container. `image` null: the spec has to name it; absent: the package's own image. */
    readonly docker?: { readonly image?: string | null; readonly program?: string };
  };
  /** Words after the program that make it print its version; null if it has none. */
  readonly version: readonly Text[] | null;
  /** Versions that the template was written for, for readers; null if it names none. */
  readonly versions: string | null;
  /** bare: `--http`; value: `--http=true`. */
  readonly booleans: 'bare' | 'value';
  /** Words before the options. */
  readonly command: readonly Text[];
  readonly sequencer: OptionsTemplate;
  readonly verifier: OptionsTemplate;
  /** Run to their end, one after another, before the client. */
  readonly prepare: readonly PrepareTemplate[];
  /** Takes the chain in the data folder back while the client is stopped: the block's number is the last word. */
  readonly rewind?: Omit<PrepareTemplate, 'operands'>;
  /** Options over the others at the starts at which a file exists; null if it has none. */
  readonly resume: { readonly file: Text; readonly args: OptionsTemplate['args'] } | null;
  /** File → paths of keys that it lacks when it is handed to this client. */
  readonly omit: OmittedKeys;
  /** Whether it dials the peers that it is given. */
  readonly dials: boolean;
  readonly ports: Readonly<Record<string, PortTemplate>>;
  readonly needs: Readonly<Partial<Record<NeedName, 'spawned' | 'ready'>>>;
  /** How another activation time reaches it, by fork; `override` stands for all that are not named. */
  readonly forks: Readonly<Record<string, OverrideRule>>;
  override(fork: string): OverrideTemplate;
  /** network: follows the network's clock. wall: reads the machine's. none: takes no time of its own. */
  readonly clock: 'network' | 'wall' | 'none';
  /** How often it brings something to L1; null: that cannot be told from its options. */
  readonly pace: PaceTemplate | null;
  /** How often it reads L1, if no option says so. */
  readonly polls: { readonly l1HeadMs: number; readonly l1FinalityMs: number };
  /** Regular expressions for lines of its log that look like an error and are none. */
  readonly harmless: readonly string[];
  /** Call that sends a verifier without peers its own head at its start. Null: it derives without. */
  readonly firstBlock: { readonly rpc: Text; readonly method: string; readonly head: Text } | null;
  /** What Kubernetes asks whether it is ready, with the name of a port; null: its first port by TCP. */
  readonly probe: EngineProbe | null;
  readonly ready: readonly ProbeTemplate[];
  readonly live: readonly ProbeTemplate[];
  readonly stop: {
    readonly signal: 'SIGTERM' | 'SIGINT' | 'SIGQUIT';
    readonly graceMs: number;
    /** Time before the signal is sent a second time. */
    readonly againMs?: number;
  };
}

/** A probe of Kubernetes. Ports are named. */
export type EngineProbe =
  | { readonly httpGet: { readonly path: string; readonly port: string } }
  | { readonly tcpSocket: { readonly port: string } };

/** `l1Blocks`: the option whose value is a number of L1 blocks. */
interface PaceTemplate {
  /** Options that say how often it posts: in L1 blocks, as a duration. */
  readonly l1Blocks: string | null;
  readonly every: string | null;
  readonly atLeastMs: number;
  /** The option with which it posts safe blocks; without, it posts finalized ones. */
  readonly safeWith: string | null;
}

/** `l1`, `beacon`: the network's; `el`, `cl`: of the same node, for a batcher or proposer the sequencer's. */
type NeedName = 'l1' | 'beacon' | 'el' | 'cl';

interface PrepareTemplate {
  readonly command: readonly Text[];
  readonly args: Readonly<Record<string, ArgumentTemplate>>;
  /** Words after the options. */
  readonly operands: readonly Text[];
}

export interface PortTemplate {
  readonly transport: 'tcp' | 'udp';
  /** Distance from the node's first port; absent: the usual one of the name. */
  readonly offset?: number;
  /** Open only with this switch given. */
  readonly with?: string;
  /** Closed by this switch. */
  readonly without?: string;
}

/** As a template spells it; in a flag's name `*` stands for the fork's. */
export type OverrideRule = 'chain-file' | 'none' | { readonly flag: string };

/** How another activation time reaches a program. */
export type OverrideTemplate =
  | { readonly how: 'flag'; readonly flag: string }
  /** A chain file of its own with the time rewritten. */
  | { readonly how: 'chain-file' }
  /** It does not read the time of the fork. */
  | { readonly how: 'none' };
