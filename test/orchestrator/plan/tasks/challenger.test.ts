import { describe, expect, it } from 'vitest';
import { roleAccounts } from '../../../../src/protocol/genesis/index.ts';
import { contracts, optionOf, quickPlanOf, task } from '../planned.ts';

const KEY = `0x${'12'.repeat(32)}`;
const planOf = (keys: string, spec = '') =>
  quickPlanOf(`${spec}\nchains: { main: { proposer: { system: dispute-games, challenger: { ${keys} } } } }`);

describe('a challenger', () => {
  it('has the key of its role, the factory of games, and starts late', () => {
    const plan = planOf('');
    const planned = task(plan, 'main/challenger');
    const { address, privateKey } = roleAccounts(901, contracts).challenger;
    const path = '/state/my-devnet/nodes/main/challenger-key.hex';
    expect(plan.files.find((file) => file.path === path)).toMatchObject({
      ...{ mode: 0o600, secret: true },
      content: { kind: 'text', text: `${privateKey}\n` },
    });
    expect(optionOf(planned, 'private-key-file')).toBe(path);
    expect(optionOf(planned, 'game-factory-address')).toBe(plan.network.chains[0]?.contracts.l1['DisputeGameFactory']);
    expect(planned).toMatchObject({ kind: 'challenger', late: true, secrets: [privateKey] });
    const [chain] = plan.network.chains;
    expect(chain?.challenger).toEqual({ task: 'main/challenger', rpc: 'http://127.0.0.1:9537' });
    // One process alone sends with its key.
    expect(chain?.accounts.find(({ role }) => role === 'challenger')).toEqual({ address, role: 'challenger' });
  });

  it('has a key of the user, whose account the games take moves of', () => {
    const plan = planOf(`key: "${KEY}"`);
    expect(task(plan, 'main/challenger').secrets).toEqual([KEY]);
    const account = plan.network.chains[0]?.accounts.find(({ role }) => role === 'challenger');
    expect(account?.address).not.toBe(roleAccounts(901, contracts).challenger.address);
    const inputs = plan.files.flatMap(({ content }) => (content.kind === 'l1-genesis' ? [content.inputs] : []))[0];
    expect(inputs?.chains[0]?.roles.challenger).toBe(account?.address);
  });

  it('calls L1 and the rollup node by links of its own with faults', () => {
    const links = planOf('', 'faults: true').links?.filter(({ from }) => from === 'main/challenger') ?? [];
    expect(links.map(({ to, port }) => `${to}:${port}`)).toEqual(['l1:rpc', 'main/sequencer/cl:rpc']);
  });

  it('is absent if the spec has none', () => {
    const plan = quickPlanOf('chains: { main: { proposer: { system: dispute-games } } }');
    expect(plan.tasks.filter(({ kind }) => kind === 'challenger')).toEqual([]);
    const account = plan.network.chains[0]?.accounts.find(({ role }) => role === 'challenger');
    expect(account).toHaveProperty('privateKey');
  });
});
