import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { roleAccounts } from '../../../../src/protocol/genesis/index.ts';
import { contracts } from '../../../protocol/genesis/inputs.ts';
import type { TestNode } from '../../execution/support/nodes.ts';
import { TestDevnet } from '../support/devnet.ts';
import { RollupNodes, type RunningNode } from '../support/process.ts';

/** An L1 with rollup nodes, each with its own engine. Two of them can differ in one option. */
export class OptionNetwork implements AsyncDisposable {
  readonly devnet: TestDevnet;
  readonly nodes = new RollupNodes();
  readonly #engines = new Map<string, TestNode>();

  private constructor(devnet: TestDevnet) {
    this.devnet = devnet;
  }

  static async start(options: Parameters<typeof TestDevnet.start>[0] = {}): Promise<OptionNetwork> {
    return new OptionNetwork(await TestDevnet.start(options));
  }

  /** Returns the engine of a node, created on first use. */
  async engine(name: string): Promise<TestNode> {
    const existing = this.#engines.get(name);
    if (existing) return existing;
    const engine = await this.devnet.engine();
    this.#engines.set(name, engine);
    return engine;
  }

  /** A path in the network's folder. */
  file(name: string): string {
    return join(this.devnet.folder, name);
  }

  /** Arguments that connect a node with this L1 and with its own engine. */
  async argv(name: string): Promise<string[]> {
    return [...this.l1(), `--l2=http://127.0.0.1:${(await this.engine(name)).node.ports.engine}`];
  }

  /** Arguments that connect a node with this L1. */
  l1(): string[] {
    return [
      `--l1=${this.devnet.l1Url.replace('http', 'ws')}`,
      `--l1.beacon=${this.devnet.beaconUrl}`,
      `--l2.jwt-secret=${this.file('jwt.hex')}`,
      `--rollup.config=${this.file('rollup.json')}`,
      '--l1.epoch-poll-interval=100ms',
    ];
  }

  /** Arguments of a sequencer whose blocks peers accept. */
  sequencing(): string[] {
    const file = this.file('sequencer-key.hex');
    writeFileSync(file, this.sequencerKey(), { mode: 0o600 });
    return ['--sequencer.enabled', '--sequencer.l1-confs=0', `--p2p.sequencer.key.path=${file}`];
  }

  /** The key whose signature peers accept. */
  sequencerKey(): string {
    return roleAccounts(this.devnet.inputs.chainId, contracts).sequencer.privateKey;
  }

  /** Starts a node on this L1 with an engine of its own, and waits until its RPC answers. */
  async node(name: string, argv: readonly string[] = [], env: Record<string, string> = {}): Promise<RunningNode> {
    return this.nodes.start(name, [...(await this.argv(name)), ...argv], env);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.nodes[Symbol.asyncDispose]();
    await this.devnet[Symbol.asyncDispose]();
  }
}
