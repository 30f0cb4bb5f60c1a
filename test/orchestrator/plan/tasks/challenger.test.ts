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

  it('is op-challenger with its key in the environment, permissioned games alone and files in place of a VM', () => {
    const plan = planOf('client: op-challenger, binary: /bin/op-challenger, args: { cannon-l1-genesis: null }');
    const planned = task(plan, 'main/challenger');
    const { address, privateKey } = roleAccounts(901, contracts).challenger;
    expect(planned.command.argv[0]).toBe('/bin/op-challenger');
    expect(planned.command.env).toMatchObject({ OP_CHALLENGER_PRIVATE_KEY: privateKey });
    expect(planned.secrets).toEqual([privateKey]);
    const [chain] = plan.network.chains;
    const given = (name: string) => optionOf(planned, name);
    expect(given('game-factory-address')).toBe(chain?.contracts.l1['DisputeGameFactory']);
    expect(given('trace-type')).toBe('permissioned');
    expect(given('l2-eth-rpc')).toBe('http://127.0.0.1:9545');
    expect(given('cannon-l1-genesis')).toBeUndefined();
    // It looks whether they are files, and runs and reads none of them.
    const files = plan.files.map(({ path }) => path);
    for (const name of ['cannon-bin', 'cannon-server', 'cannon-prestate', 'cannon-rollup-config', 'cannon-l2-genesis'])
      expect(files).toContain(given(name));
    expect(planned.ports).toMatchObject([{ name: 'metrics', port: 9569 }]);
    expect(given('metrics.port')).toBe('9569');
    // It has no RPC.
    expect(chain?.challenger).toEqual({ task: 'main/challenger' });
    expect(chain?.accounts.find(({ role }) => role === 'challenger')).toEqual({ address, role: 'challenger' });
    expect(planned.needs.map(({ task: id, until }) => `${id} ${until}`)).toEqual([
      'l1 ready',
      'l1-beacon ready',
      'main/sequencer/el ready',
      'main/sequencer/cl ready',
    ]);
  });

  it('is absent if the spec has none', () => {
    const plan = quickPlanOf('chains: { main: { proposer: { system: dispute-games } } }');
    expect(plan.tasks.filter(({ kind }) => kind === 'challenger')).toEqual([]);
    const account = plan.network.chains[0]?.accounts.find(({ role }) => role === 'challenger');
    expect(account).toHaveProperty('privateKey');
  });
});
