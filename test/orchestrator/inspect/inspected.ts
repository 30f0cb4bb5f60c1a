import { toEventSelector } from 'viem';
import { abiNames } from '../../../src/orchestrator/inspect/abi/abi.ts';
import type { Inspector, L2Layer } from '../../../src/orchestrator/inspect/inspector.ts';
import type { Layer } from '../../../src/orchestrator/inspect/layer.ts';
import type { ChainView, NodeView, Plan } from '../../../src/orchestrator/plan/plan.ts';
import type { Hex } from '../../../src/protocol/types.ts';

/** A hash or a word of one digit. */
export const word = (digit: string): Hex => `0x${digit.repeat(64)}`;
/** An address of one digit. */
export const address = (digit: string): Hex => `0x${digit.repeat(40)}`;

/** The topic of a known event. */
export const SENT_TOPIC = toEventSelector('Sent(uint256)');

const TABLES = {
  functions: { '0xa9059cbb': 'function transfer(address to, uint256 amount)' },
  errors: {},
  events: { [SENT_TOPIC]: ['event Sent(uint256 amount)'] },
};

/** The input of a known call. */
export const TRANSFER = `0xa9059cbb${'12'.padStart(64, '0')}${'5'.padStart(64, '0')}`;

/** An inspector of a network that knows two addresses and one call, with other parts in place of its own. */
export function stubInspector(more: Partial<Inspector> = {}): Inspector & { readonly identified: string[][] } {
  const identified: string[][] = [];
  return {
    ...{ plan: { network: { chains: [] } } as unknown as Plan, abi: abiNames(TABLES), identified },
    names: () => new Map([address('b'), address('e')].map((each, at) => [each, ['weth', 'emitter'][at] ?? ''])),
    identify: async (_, addresses) => {
      identified.push([...addresses]);
    },
    rollup: () => {
      throw new Error('no rollup');
    },
    attributes: () => null,
    carrier: async () => ({ kind: 'none', because: 'no batch yet' }),
    ...more,
  };
}

export const l1Layer = (url: string): Layer => ({ kind: 'l1', label: 'l1', url });

/** The layer of a chain's node with these forks and overrides. */
export function l2Layer(url: string, forks: ChainView['forks'] = {}, overrides: NodeView['overrides'] = {}): L2Layer {
  const chain = { name: 'main', blockTime: 2, forks } as unknown as ChainView;
  return { kind: 'l2', label: 'main/s', url, chain, node: { name: 's', overrides } as unknown as NodeView };
}
