import type { PlannedChain } from '../chain/planned-chain.ts';
import { type PlanInputs, taskFolder } from '../inputs.ts';
import type { Task } from '../plan.ts';

interface ExternalProcess {
  readonly id: string;
  readonly kind: 'el' | 'cl';
  readonly node: string;
  /** Of its JSON-RPC server. */
  readonly url: string;
}

/**
 * Plans a process that runs outside the devnet. Nothing is launched; its probes check that it belongs to this
 * network.
 */
export function externalTask({ id, kind, node, url }: ExternalProcess, chain: PlannedChain, inputs: PlanInputs): Task {
  const ready: Task['ready'] =
    kind === 'el'
      ? [
          {
            kind: 'rpc',
            url,
            method: 'eth_getBlockByNumber',
            params: ['0x0', false],
            expect: { hash: chain.genesisHash },
            description: 'has the genesis block of this chain',
          },
        ]
      : [
          {
            kind: 'rpc',
            url,
            method: 'optimism_rollupConfig',
            params: [],
            expect: { 'genesis.l2.hash': chain.genesisHash },
            description: 'follows this chain',
          },
        ];
  const folder = taskFolder(inputs, id);
  return {
    id,
    kind,
    chain: chain.name,
    node,
    client: 'external',
    launch: 'external',
    clock: 'none',
    prepare: [],
    command: { argv: [], cwd: folder, env: {} },
    secrets: [],
    needs: [],
    reads: [],
    ports: [],
    ready,
    live: ready,
    stop: { signal: 'SIGTERM', graceMs: 0 },
    onExit: 'ignore',
    log: `${folder}.log`,
    lifeline: false,
  };
}
