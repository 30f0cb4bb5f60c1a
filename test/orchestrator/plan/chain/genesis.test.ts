import { concat, keccak256 } from 'viem';
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { readRollupConfig } from '../../../../src/protocol/genesis/file/rollup-file.ts';
import { EXIT } from '../../../../src/system/failure.ts';
import { NOW } from '../../package.ts';
import { quickPlanOf } from '../planned.ts';

const HOME = '/state/my-devnet';
const OWN = `0x${'ab'.repeat(20)}` as const;

function l1InputsOf({ files }: Plan) {
  const [inputs] = files.flatMap(({ content }) => (content.kind === 'l1-genesis' ? [content.inputs] : []));
  return inputs!;
}
const chainOf = (chain: string, more: Parameters<typeof quickPlanOf>[1] = {}) =>
  l1InputsOf(quickPlanOf(`chains: { main: { ${chain} } }`, more)).chains[0]!;

describe('the system config of a chain', () => {
  const WORD = 64;
  it('packs its scalars from ecotone on, and has the values of the spec', () => {
    const { systemConfig, rollup } = chainOf(
      'gasLimit: 40000000, sequenceWindow: 77, systemConfig: { baseFeeScalar: 1, blobBaseFeeScalar: 2, ' +
        'operatorFeeScalar: 3, operatorFeeConstant: 4, minBaseFee: 5, daFootprintGasScalar: 6 }',
    );
    expect(systemConfig).toMatchObject({
      overhead: `0x${'0'.repeat(WORD)}`,
      scalar: `0x01${'0'.repeat(46)}${'00000002'}${'00000001'}`,
      gasLimit: 40_000_000,
      eip1559Params: `0x${'0'.repeat(16)}`,
      operatorFeeParams: `0x${'0'.repeat(40)}${'00000003'}${'0000000000000004'}`,
      minBaseFee: 5,
      daFootprintGasScalar: 6,
    });
    expect(rollup.seqWindowSize).toBe(77);
  });

  it.each([
    ['base: delta', false],
    ['base: delta, ecotone: +20s', false],
    ['base: ecotone', true],
  ])('with %s is packed: %s', (forks, packed) => {
    const { overhead, scalar } = chainOf(`forks: { ${forks} }`).systemConfig;
    const hex = (value: number) => `0x${value.toString(16).padStart(WORD, '0')}`;
    expect(overhead).toBe(hex(packed ? 0 : 188));
    if (packed) expect(scalar).toMatch(/^0x01/);
    else expect(scalar).toBe(hex(684_000));
  });

  it('names the batcher that the plan has', () => {
    const plan = quickPlanOf('{}');
    const [chain] = plan.network.chains;
    const addressOf = (name: string) => chain!.accounts.find(({ role }) => role === name)?.address;
    const { systemConfig, roles } = l1InputsOf(plan).chains[0]!;
    expect(systemConfig.batcherAddr).toBe(addressOf('batcher'));
    expect(roles).toEqual({
      owner: addressOf('owner'),
      proposer: addressOf('proposer'),
      challenger: addressOf('challenger'),
      unsafeBlockSigner: addressOf('sequencer'),
    });
  });
});

describe('the genesis of a chain', () => {
  it('has the times, ids and accounts of its spec', () => {
    const { chainId, l1ChainId, genesisTime, blockTime, accounts, withdrawals } = chainOf(
      `chainId: 77, blockTime: 1, accounts: { count: 2, balance: 5 wei, addresses: ["${OWN}"] }`,
    );
    expect({ chainId, l1ChainId, genesisTime, blockTime }).toEqual({
      chainId: 77,
      l1ChainId: 900,
      genesisTime: NOW - 1,
      blockTime: 1,
    });
    expect(accounts).toEqual([
      { address: expect.stringMatching(/^0xf39f/), balance: '5' },
      { address: expect.stringMatching(/^0x7099/), balance: '5' },
      { address: OWN, balance: '5' },
    ]);
    expect(withdrawals.startingRoot).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it.each([
    [
      'proposer: { interval: 5, finalization: 9 }',
      { system: 'output-oracle', submissionInterval: 3, finalizationPeriod: 9 },
    ],
    ['proposer: { interval: 4 }', { submissionInterval: 2 }],
    [
      'proposer: { system: dispute-games, gameClock: 31, gameFinality: 6 }',
      { system: 'dispute-games', gameClock: 31, gameFinality: 6 },
    ],
    ['proposer: false', { system: 'output-oracle' }],
  ])('with %s has its withdrawals', (proposer, expected) => {
    expect(chainOf(`blockTime: 2, ${proposer}`).withdrawals).toMatchObject(expected);
  });

  it('has generic commitments and one window for both of its challenges when its batches are on a DA server', () => {
    expect(chainOf('altDa: { challengeWindow: 7 }').altDa).toEqual({
      da_commitment_type: 'GenericCommitment',
      da_challenge_window: 7,
      da_resolve_window: 7,
    });
    expect(chainOf('')).not.toHaveProperty('altDa');
  });

  it('has the challenger whose key the spec gives', () => {
    const key = `0x${'17'.repeat(32)}` as const;
    const { roles } = chainOf(`proposer: { system: dispute-games, challenger: { key: "${key}" } }`);
    expect(roles.challenger).toBe(privateKeyToAccount(key).address.toLowerCase());
    expect(roles).toMatchObject({ ...chainOf('').roles, challenger: roles.challenger });
  });

  it('has a folder of upgrade transactions when a fork that is to come has some, and none otherwise', () => {
    const bundlesOf = (forks: string) =>
      quickPlanOf(`chains: { main: { forks: { ${forks} } } }`).tasks.flatMap(({ command }) =>
        command.argv.filter((word) => word.includes('/bundles')),
      );
    expect(bundlesOf('base: delta, ecotone: +8s')).not.toEqual([]);
    expect(bundlesOf('base: granite, holocene: +8s')).toEqual([]);
  });

  it('has the alloc of the user, and a file of its own', () => {
    const alloc = { [OWN]: { balance: '0x7' } } as const;
    const plan = quickPlanOf('chains: { main: { alloc: /own } }', { allocs: { '/own': alloc } });
    expect(l1InputsOf(plan).chains[0]!.alloc).toEqual(alloc);
    expect(chainOf('')).not.toHaveProperty('alloc');
    expect(plan.network.chains[0]).toMatchObject({
      genesisFile: `${HOME}/genesis/main/genesis.json`,
      rollupFile: `${HOME}/genesis/main/rollup.json`,
    });
  });

  it('of L1 has each account once, with its largest balance, and the alloc of the user', () => {
    const alloc = { [OWN]: { balance: '0x7' } } as const;
    const inputs = (l1: string) =>
      l1InputsOf(
        quickPlanOf(
          `${l1}\nchains: { a: { accounts: { count: 1, balance: 9 wei } }, ` +
            'b: { accounts: { count: 2, balance: 10 wei } }, ' +
            'c: { accounts: { count: 3, balance: 8 wei } } }',
          { allocs: { '/l1': alloc } },
        ),
      );
    expect(inputs('l1: { alloc: /l1, chainId: 33 }')).toMatchObject({ chainId: 33, hardfork: 'prague', alloc });
    expect(inputs('')).not.toHaveProperty('alloc');
    expect(inputs('')['accounts'].map(({ balance }) => balance)).toEqual(['10', '10', '8']);
    expect(inputs('').chains.map(({ chainId }) => chainId)).toEqual([901, 902, 903]);
  });
});

describe('the view of a chain', () => {
  it('has its forks, with null for those that the spec sets to never', () => {
    const plan = quickPlanOf('chains: { main: { forks: { base: granite, holocene: +8s, isthmus: never } } }');
    expect(plan.network.chains[0]!.forks).toEqual({
      bedrock: 0,
      regolith: 0,
      canyon: 0,
      delta: 0,
      ecotone: 0,
      fjord: 0,
      granite: 0,
      holocene: plan.genesisTime + 8,
      isthmus: null,
    });
  });

  it('has accounts with keys, except those that one process alone holds', () => {
    const plan = quickPlanOf(`chains: { main: { accounts: { count: 1, addresses: ["${OWN}"] } } }`);
    const rows = plan.network.chains[0]!.accounts.map(({ role, privateKey }) => [role, privateKey !== undefined]);
    expect(rows).toEqual([
      [undefined, true],
      ['funded', false],
      ['owner', true],
      ['batcher', false],
      ['proposer', false],
      ['challenger', true],
      ['sequencer', false],
    ]);
    expect(plan.network.chains[0]!.accounts[1]).toEqual({ address: OWN, role: 'funded' });
  });

  it('has contracts of both layers by name', () => {
    const { l1, l2 } = quickPlanOf('{}').network.chains[0]!.contracts;
    expect(Object.keys(l1)).toEqual(expect.arrayContaining(['SystemConfig', 'OptimismPortal', 'L2OutputOracle']));
    expect(l2).toMatchObject({
      l2ToL1MessagePasser: `0x42${'0'.repeat(36)}16`,
      multiCall3: expect.stringMatching(/^0xca11/),
    });
  });

  it('says where the upgrade transactions of each fork come from', () => {
    const text = 'forks: { base: delta, ecotone: +8s, fjord: +16s, granite: +20s, holocene: +22s, isthmus: +24s }';
    const plan = quickPlanOf(`chains: { main: { ${text}, bundles: { fjord: /own.json } } }`, {
      bundleTexts: { '/own.json': '{"own":1}' },
    });
    const [chain] = plan.network.chains;
    expect(chain!.bundles).toEqual({ ecotone: 'official', fjord: 'given', isthmus: 'unofficial' });
    const folder = `${HOME}/genesis/main/bundles`;
    expect(
      plan.files.flatMap(({ path, mode, secret, content }) =>
        path.startsWith(folder) ? [[path.slice(folder.length), mode, secret, content]] : [],
      ),
    ).toEqual([
      ['/fjord.json', 0o644, false, { kind: 'text', text: '{"own":1}' }],
      ['/ecotone.json', 0o644, false, { kind: 'upgrade-bundle', fork: 'ecotone' }],
      ['/isthmus.json', 0o644, false, { kind: 'upgrade-bundle', fork: 'isthmus' }],
    ]);
    expect(quickPlanOf('{}').network.chains[0]).not.toHaveProperty('bundles');
  });
});

describe('the network of a plan', () => {
  it('has the values of its spec', () => {
    const plan = quickPlanOf(
      'name: demo\nseed: 9\nl1: { chainId: 33, blockTime: 4 }\nlogs: { size: 1 MB }\ndashboard: true',
    );
    expect(plan).toMatchObject({
      version: 1,
      devnet: 'demo',
      home: '/state/demo',
      seed: 9,
      genesisTime: NOW - 2,
      time: { clock: 'wall', rate: 1 },
      image: 'rollup-devnet:test',
      logBytes: 1_000_000,
      dashboard: {
        url: 'http://127.0.0.1:9500/',
        port: 9500,
        command: {
          argv: ['/bin/node', '/package/dist/devnet.js', 'dashboard', 'demo', '--port', '9500'],
          cwd: '/',
          env: {},
        },
        log: '/state/demo/dashboard.log',
      },
      notices: [],
    });
    expect(plan.network.l1).toMatchObject({
      chainId: 33,
      blockTime: 4,
      beacon: 'http://127.0.0.1:5052',
      genesisHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(Object.keys(plan.network.l1.contracts)).toContain('MultiCall3');
    expect(quickPlanOf('{}')).not.toHaveProperty('dashboard');
    expect(plan.files.find(({ path }) => path.endsWith('l1-chain-config.json'))).toMatchObject({
      path: '/state/demo/genesis/l1-chain-config.json',
      mode: 0o644,
      secret: false,
    });
  });

  it.each(['time: { clock: stepped }', 'time: { rate: 2 }', 'time: { clock: instant }'])(
    'with %s needs clients that follow its clock',
    (time) => {
      const wall = 'chains: { main: { nodes: { s: { role: sequencer }, v: { cl: { client: op-node, binary: o } } } } }';
      expect(() => quickPlanOf(`${wall}\n${time}`)).toThrow(
        expect.objectContaining({
          code: 'clock',
          exit: EXIT.usage,
          message: expect.stringContaining('main/v/cl (op-node)'),
          hint: expect.any(String),
        }),
      );
      expect(quickPlanOf(wall).notices).toEqual([expect.stringContaining('main/v/cl (op-node)')]);
      expect(quickPlanOf(time).time.rate).toBe(time.includes('rate') ? 2 : 1);
    },
  );
});

describe('chains from files', () => {
  const first = quickPlanOf('name: first', { now: NOW - 500 });
  const [chain] = first.network.chains;
  const { content } = first.files.find(({ path }) => path === chain!.rollupFile)!;
  const rollup = JSON.parse(content.kind === 'text' ? content.text : '');
  const config = {
    chainId: 901,
    ...Object.fromEntries(
      Object.entries(rollup).flatMap(([key, time]) =>
        key.endsWith('_time') && key !== 'block_time' && key !== 'max_sequencer_drift' && key !== 'delta_time'
          ? [[key.replace(/_time$/, 'Time'), time]]
          : [],
      ),
    ),
  };
  const from = (time: string, other = rollup) =>
    quickPlanOf(
      `name: second\n${time}\nchains: { old: { from: { genesis: /g, rollup: /r } }, ` +
        'more: { from: { genesis: /g2, rollup: /r2 } } }',
      {
        rollupConfigs: { '/r': rollup, '/r2': other },
        genesisConfigs: { '/g': config, '/g2': { ...config, chainId: 902 } },
        genesisFunds: {
          '/g': { ether: '5', tokens: [], canWithdraw: true },
          '/g2': { ether: '5', tokens: [], canWithdraw: true },
        },
      },
    );

  it.each([
    ['', NOW - 502 + 1, [NOW - 502, NOW - 501]],
    [`time: { genesis: ${NOW - 300} }`, NOW - 502, [NOW - 502, NOW - 300]],
  ])('of one L1 are refused with %j when their genesis times differ', (time, l2Time, times) => {
    const other = { ...rollup, genesis: { ...rollup.genesis, l2_time: l2Time } };
    expect(() => from(time, other)).toThrow(
      expect.objectContaining({
        code: 'chain-files',
        exit: EXIT.usage,
        message: expect.stringContaining(times.join(' and ')),
      }),
    );
  });

  it.each([
    ['whose genesis file has another fork time', rollup, { ...config, jovianTime: NOW }, 'jovian_time is'],
    ['of an L1 with another id', { ...rollup, l1_chain_id: 1 }, config, 'its l1_chain_id is 1, expected 900'],
  ])('%s are refused', (_, rollupConfig, genesisConfig, message) => {
    const plan = () =>
      quickPlanOf('name: second\nchains: { old: { from: { genesis: /g, rollup: /r } } }', {
        rollupConfigs: { '/r': rollupConfig },
        genesisConfigs: { '/g': genesisConfig },
        genesisFunds: { '/g': { ether: '5', tokens: [], canWithdraw: true } },
      });
    expect(plan).toThrow(expect.objectContaining({ code: 'chain-files', message: expect.stringContaining(message) }));
  });

  it('are refused by the hash of an L1 whose genesis has the contracts of its chains', () => {
    const read = readRollupConfig(rollup);
    if (!read.ok) throw new Error(read.problems.join());
    const plan = () =>
      quickPlanOf('l1: { client: l1-execution-go }\nchains: { old: { from: { genesis: /g, rollup: /r } } }', {
        rollupConfigs: { '/r': read.value },
        genesisConfigs: { '/g': config },
        genesisFunds: { '/g': { ether: '5', tokens: [], canWithdraw: true } },
      });
    expect(plan).toThrow(/belongs to another L1: its genesis\.l1\.hash is 0x[0-9a-f]{64}, expected 0x[0-9a-f]{64} as/);
  });

  it('keep what their files say, whatever the spec has', () => {
    const chainText = 'chainId: 905, blockTime: 1, gasLimit: 40000000, forks: { base: granite, holocene: +20s }';
    const before = quickPlanOf(`name: before\nchains: { main: { ${chainText} } }`, { now: NOW - 500 });
    const [own] = before.network.chains;
    const file = before.files.find(({ path }) => path === own!.rollupFile)!.content;
    const config = JSON.parse(file.kind === 'text' ? file.text : '');
    const times = Object.entries(own!.forks).map(([fork, time]) => [`${fork}Time`, time]);
    const after = quickPlanOf('name: after\nchains: { main: { from: { genesis: /g, rollup: /r } } }', {
      rollupConfigs: { '/r': config },
      genesisConfigs: { '/g': { chainId: 905, ...Object.fromEntries(times) } },
      genesisFunds: { '/g': { ether: '5', tokens: [], canWithdraw: true } },
    });
    expect(after.genesisTime).toBe(before.genesisTime);
    expect(after.network.l1.genesisHash).toBe(before.network.l1.genesisHash);
    const { chainId, blockTime, genesisHash, contracts } = own!;
    // A rollup config has no key for bedrock.
    const { bedrock: _, ...forks } = own!.forks;
    const same = { chainId, blockTime, genesisHash, forks, contracts };
    expect(after.network.chains[0]).toMatchObject({ ...same, genesisFile: '/g', rollupFile: '/r' });
    const [old, next] = [before, after].map((plan) => l1InputsOf(plan).chains[0]!);
    expect(next!.systemConfig).toEqual(config.genesis.system_config);
    expect({ bedrock: 0, ...next!.schedule }).toEqual(old!.schedule);
    expect(next!.withdrawals.portalBalance).toBe('5');
    expect(after.files.map(({ path }) => path)).not.toContainEqual(expect.stringContaining('genesis/main/'));
  });
});

describe('the files of a new chain', () => {
  const plan = quickPlanOf('name: demo\nchains: { main: { chainId: 77, sequenceWindow: 99 } }');
  const [chain] = plan.network.chains;

  it('have the blocks at which both layers begin', () => {
    const { content } = plan.files.find(({ path }) => path === chain!.rollupFile)!;
    expect(JSON.parse(content.kind === 'text' ? content.text : '')).toMatchObject({
      l2_chain_id: 77,
      seq_window_size: 99,
      genesis: {
        l1: { hash: plan.network.l1.genesisHash, number: 0 },
        l2: { hash: chain!.genesisHash, number: 0 },
      },
      l1_system_config_address: chain!.contracts.l1['SystemConfig'],
      deposit_contract_address: chain!.contracts.l1['OptimismPortal'],
    });
  });

  it('begin with the output root of block 0', () => {
    const parts = [`0x${'0'.repeat(64)}`, `0x${'5a'.repeat(32)}`, `0x${'6b'.repeat(32)}`, chain!.genesisHash] as const;
    expect(l1InputsOf(plan).chains[0]!.withdrawals.startingRoot).toBe(keccak256(concat(parts as never)));
  });

  it('fund the accounts of a mnemonic', () => {
    const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
    const { accounts } = chainOf(`accounts: { mnemonic: "${mnemonic}", count: 2 }`);
    const expected = [0, 1].map((addressIndex) => mnemonicToAccount(mnemonic, { addressIndex }).address.toLowerCase());
    expect(accounts.map(({ address }) => address)).toEqual(expected);
  });
});
