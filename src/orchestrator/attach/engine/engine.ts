/**
 * Where an exported network runs.
 * Plain data: the tunnel's program gets it as an argument. A later change of the kubeconfig's current context, or of
 * a Docker context, does not lead an attached network to another engine.
 */
export type EngineAddress =
  | {
      readonly kind: 'kubernetes';
      /** Absolute paths, as in `$KUBECONFIG`. */
      readonly files: readonly string[];
      readonly context: string;
      readonly namespace: string;
    }
  | {
      readonly kind: 'docker';
      readonly context: string;
      /** `unix:///run/docker.sock`, `ssh://user@host` or `tcp://host:2376`. */
      readonly host: string;
      /** Folder of the certificates of a connection by TLS. */
      readonly certificates?: string;
      /** By TLS, and the daemon's certificate is not checked. */
      readonly skipTlsVerify?: true;
      /** Socket of the user's ssh agent. */
      readonly agent?: string;
      /** The network there; absent before it is found. */
      readonly found?: DockerProject;
    };

/** What Docker started as one: a project of Compose, or a stack of a swarm. */
export interface DockerProject {
  readonly kind: 'compose' | 'stack';
  readonly name: string;
  /** Id of the network that its containers share. */
  readonly network: string;
  /** The image of its units. */
  readonly image: string;
}

/** A port of a unit, as the network's own processes call it. */
export interface UnitPort {
  readonly unit: string;
  readonly port: number;
}

/** A unit's port with the number that it gets on this machine. 0: any free one. */
export interface Passage extends UnitPort {
  readonly local: number;
}

/** Open ports of this machine that lead to units. */
export interface Passages {
  /** Their numbers, in the order of the passages. */
  readonly ports: readonly number[];
  stop(): Promise<void>;
}

/** An exported network as its engine has it. */
export interface FoundNetwork {
  readonly devnet: string;
  /** Version of the package that exported it. */
  readonly version: string;
  /** Files from which its units plan it, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Ports of this machine that the engine publishes already. */
  readonly published: readonly Passage[];
  /** Whether `open` leads to the ports that are not published. */
  readonly carries: boolean;
  /** The engine with what was found of it, such as the project of Compose. */
  readonly address: EngineAddress;
}

/** A part of a unit's output. */
export interface LogRequest {
  readonly unit: string;
  /** RFC 3339 time of the last line that is there; undefined: the newest lines. */
  readonly since: string | undefined;
  readonly signal: AbortSignal;
  /** Receives whole lines, each behind its time: `2026-11-27T15:30:00.5Z text`. */
  readonly line: (text: string) => void;
}

/** An engine that runs exported networks. */
export interface Engine {
  /** As messages name it: `the namespace devnet-default of the context prod`. */
  readonly words: string;
  /**
   * Finds the network that runs there.
   * @throws Failure `attach`: no answer (exit 3), no network, or several (exit 2)
   */
  find(): Promise<FoundNetwork>;
  /** Opens ports of this machine that lead to units. A connection that fails is closed and reported. */
  open(passages: readonly Passage[], report: (line: string) => void): Promise<Passages>;
  /** Follows the output of a unit until it ends. Rejects if the engine gives none. */
  follow(request: LogRequest): Promise<void>;
}

/** Lines of a unit's output that are read first. */
export const FIRST_LINES = 2000;

/** Time (ms) for an engine to answer a question. */
export const ANSWER_MS = 10_000;
