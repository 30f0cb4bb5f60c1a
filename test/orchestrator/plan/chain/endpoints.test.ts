import { describe, expect, it } from 'vitest';
import { environmentOf } from '../../../../src/orchestrator/environment/environment.ts';
import { viemChains } from '../../../../src/orchestrator/environment/viem-chains.ts';
import { chainEndpoints } from '../../../../src/orchestrator/plan/chain/endpoints.ts';
import { quickPlanOf } from '../planned.ts';

const SET = 'chains: { main: { conductor: true, nodes: { s: { role: sequencer, count: 3 }, v: {} } } }';
const CONDUCTOR = 'http://127.0.0.1:9534';

describe('the endpoints of a chain', () => {
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
