import { describe, expect, it } from 'vitest';
import { environmentOf } from '../../../../src/orchestrator/environment/environment.ts';
import { viemChains } from '../../../../src/orchestrator/environment/viem-chains.ts';
import { chainEndpoints, endpointsOf } from '../../../../src/orchestrator/plan/chain/endpoints.ts';
import type { ChainView } from '../../../../src/orchestrator/plan/plan.ts';
import { fixturePlan } from '../../supervisor/fixture-plan.ts';
import { quickPlanOf } from '../planned.ts';

const SET = 'chains: { main: { conductor: true, nodes: { s: { role: sequencer, count: 3 }, v: {} } } }';
const CONDUCTOR = 'http://127.0.0.1:9534';

/** A chain whose nodes have these roles. */
function chainOf(...roles: ('sequencer' | 'verifier')[]): ChainView {
  const ports = roles.map((_, at) => ({ port: at + 1 }));
  const [chain] = fixturePlan('/home', 'one', ports).network.chains;
  if (chain === undefined) throw new Error('no chain');
  return { ...chain, nodes: chain.nodes.map((node, at) => ({ ...node, role: roles[at] ?? 'verifier' })) };
}

describe('the endpoints of a chain', () => {
  it.each([
    [['verifier', 'sequencer'], 2],
    [['sequencer', 'verifier'], 1],
    [['verifier', 'verifier'], 1],
  ] as const)('of %j are those of the sequencer, or else of the first node', (roles, port) => {
    const url = `http://127.0.0.1:${port}`;
    const chain = chainOf(...roles);
    for (const found of [chainEndpoints(chain), endpointsOf(chain)])
      expect(found).toEqual({ http: url, ws: url, rollup: url });
  });

  it('are none without a node', () => {
    expect(chainEndpoints(chainOf())).toBeUndefined();
    expect(() => endpointsOf(chainOf())).toThrow('the plan of main has no node');
  });

  it('are those of its sequencer', () => {
    const [chain] = quickPlanOf('{}').network.chains;
    const { el, cl } = chain?.nodes.find(({ role }) => role === 'sequencer') ?? {};
    expect(chain && chainEndpoints(chain)).toEqual({ http: el?.http, ws: el?.ws, rollup: cl?.rpc });
  });

  it('lead by HTTP to the sequencer that leads if the chain has a conductor, in the environment too', () => {
    const plan = quickPlanOf(SET);
    const [chain] = plan.network.chains;
    expect(chain && chainEndpoints(chain)).toMatchObject({ http: `${CONDUCTOR}/el`, rollup: `${CONDUCTOR}/cl` });
    expect(environmentOf(plan)).toMatchObject({
      DEVNET_L2_RPC_URL: `${CONDUCTOR}/el`,
      DEVNET_L2_ROLLUP_RPC_URL: `${CONDUCTOR}/cl`,
      L2_901_S_1_RPC_URL: chain?.nodes[0]?.el.http,
    });
    expect(viemChains(plan).rollups['main']?.rpcUrls.default.http).toEqual([`${CONDUCTOR}/el`]);
  });
});
