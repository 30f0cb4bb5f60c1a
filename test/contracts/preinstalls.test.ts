import { domainSeparator, type Hex, keccak256 } from 'viem';
import { describe, expect, it } from 'vitest';
import { CREATE2_DEPLOYER } from '../../src/protocol/execution/create2-deployer.ts';
import { l1Alloc, l1Preinstalls, l2Alloc, l2Preinstalls } from '../../src/protocol/genesis/index.ts';
import { chainInputs, contracts, GENESIS_TIME, upTo } from '../protocol/genesis/inputs.ts';

const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3';
/** Code of Permit2 on Ethereum. */
const PERMIT2_ON_CHAIN_1 = '0xc67d1657868aa5146eaf24fb879fb1fdec3d2d493b3683a61c9c2f4fb2851131';

/** Addresses and code hashes of public chains, as the optimism monorepo's Preinstalls.sol publishes the code. */
const PUBLISHED: Readonly<Record<string, readonly [address: Hex, hash: Hex]>> = {
  multiCall3: [
    '0xca11bde05977b3631167028862be2a173976ca11',
    '0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891',
  ],
  create2Deployer: [
    '0x13b0d85ccb8bf860b6b79af3029fca081ae9bef2',
    '0xb0550b5b431e30d38000efb7107aaa0ade03d48a7198a140edda9d27134468b2',
  ],
  safe_v130: [
    '0x69f4d1788e39c87893c980c06edf4b7f686e2938',
    '0xbba688fbdb21ad2bb58bc320638b43d94e7d100f6f3ebaab0a4e4de6304b1c2e',
  ],
  safeL2_v130: [
    '0xfb1bffc9d739b8d520daf37df666da4c687191ea',
    '0x21842597390c4c6e3c1239e434a682b054bd9548eee5e9b1d6a4482731023c0f',
  ],
  multiSendCallOnly_v130: [
    '0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b',
    '0xa9865ac2d9c7a1591619b188c4d88167b50df6cc0c5327fcbd1c8c75f7c066ad',
  ],
  safeSingletonFactory: [
    '0x914d7fec6aac8cd542e72bca78b30650d45643d7',
    '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989',
  ],
  deterministicDeploymentProxy: [
    '0x4e59b44847b379578588920ca78fbf26c0b4956c',
    '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989',
  ],
  multiSend_v130: [
    '0x998739bfdaadde7c933b942a68053933098f9eda',
    '0x81db0e4afdf5178583537b58c5ad403bd47a4ac7f9bde2442ef3e341d433126a',
  ],
  beaconBlockRoots: [
    '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
    '0xf57acd40259872606d76197ef052f3d35588dadf919ee1f0e3cb9b62d3f4b02c',
  ],
  historyStorage: [
    '0x0000f90827f1c53a10cb7a02335b175320002935',
    '0x6e49e66782037c0555897870e29fa5e552daf4719552131a0abce779daec0a5d',
  ],
  withdrawalRequests: [
    '0x00000961ef480eb55e80d19ad83579a64c007002',
    '0x0345a365d2f4c5975b9f1599abe0a2ee76b7a3a731bc68781bd04c84e4858f50',
  ],
  consolidationRequests: [
    '0x0000bbddc7ce488642fb579f8b00f3a590007251',
    '0x78c6cb5202685228bbcbfb992b1c4e116c7ec5ef11e25b8e92716cfc628ddd60',
  ],
  senderCreator: [
    '0x7fc98430eaedbb6070b35b39d798725049088348',
    '0xae818091eaaf1b6175ee41472359a689f3823d0908a41e2e5c4ad508f2fc04a3',
  ],
  entryPoint: [
    '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
    '0xc93c806e738300b5357ecdc2e971d6438d34d8e4e17b99b758b1f9cac91c8e70',
  ],
  senderCreator_v070: [
    '0xefc2c1444ebcc4db75e7613d20c6a62ff67a167c',
    '0x283c9d14378f5f4c4e24045b87d621d48443fa5b4af7dd7180a599b3756a7689',
  ],
  entryPoint_v070: [
    '0x0000000071727de22e5e9d8baf0edac6f37da032',
    '0x8db5ff695839d655407cc8490bb7a5d82337a86a6b39c3f0258aa6c3b582fc58',
  ],
  createX: [
    '0xba5ed099633d3b313e4d5f7bdc1305d3c28ba5ed',
    '0xbd8a7ea8cfca7b4e5f5041d7d4b17bc317c5ce42cfbc42066a00cf26b43eb53f',
  ],
};

const SYSTEM = new Set(['beaconBlockRoots', 'historyStorage', 'withdrawalRequests', 'consolidationRequests']);

const l1 = (l1ChainId: number) =>
  l1Alloc(
    {
      chainId: l1ChainId,
      hardfork: 'prague',
      genesisTime: GENESIS_TIME,
      accounts: [],
      chains: [chainInputs({ l1ChainId })],
    },
    contracts,
  );

describe('preinstalls', () => {
  it.each(['bedrock', 'canyon', 'ecotone', 'jovian'] as const)('stand on L2 from %s on, as published', (base) => {
    const inputs = chainInputs({ schedule: upTo(base) });
    const alloc = l2Alloc(inputs, contracts);
    const { permit2, ...others } = l2Preinstalls(inputs, contracts);
    expect(permit2).toBe(PERMIT2);
    // The forks bring the system contracts of Ethereum.
    const here = Object.entries(PUBLISHED).filter(([name]) => !SYSTEM.has(name) || name in others);
    expect(others).toEqual(Object.fromEntries(here.map(([name, [at]]) => [name, at])));
    for (const [name, [address, hash]] of here)
      expect([name, keccak256(alloc.get(address)!.code)]).toEqual([name, hash]);
  });

  it('stand on L1, as published', () => {
    const alloc = l1(900);
    const { Permit2, ...others } = l1Preinstalls(contracts);
    expect(Permit2).toBe(PERMIT2);
    for (const [name, address] of Object.entries(others)) {
      const [at, hash] = PUBLISHED[name[0]!.toLowerCase() + name.slice(1)]!;
      expect([name, address, keccak256(alloc.get(address)!.code)]).toEqual([name, at, hash]);
    }
    expect(Object.keys(others)).toEqual(expect.arrayContaining(['MultiCall3', 'DeterministicDeploymentProxy']));
  });

  it('hold the Permit2 of Ethereum if the chain id is that of Ethereum', () => {
    expect(keccak256(l2Alloc(chainInputs({ chainId: 1 }), contracts).get(PERMIT2)!.code)).toBe(PERMIT2_ON_CHAIN_1);
    expect(keccak256(l1(1).get(PERMIT2)!.code)).toBe(PERMIT2_ON_CHAIN_1);
  });

  it.each([901, 4242])('Permit2 caches the domain of chain %i, and on L1 that of L1', (chainId) => {
    const domainOf = (id: number) =>
      domainSeparator({ domain: { name: 'Permit2', chainId: id, verifyingContract: PERMIT2 } }).slice(2);
    const { code } = l2Alloc(chainInputs({ chainId }), contracts).get(PERMIT2)!;
    expect(code).toContain(domainOf(chainId));
    expect(code).toContain(chainId.toString(16).padStart(64, '0'));
    expect(l1(chainId).get(PERMIT2)!.code).toContain(domainOf(chainId));
  });

  it.each(['bedrock', 'canyon'] as const)(
    'Create2Deployer stands in the genesis of %s with the code that canyon sets',
    (base) => {
      const account = l2Alloc(chainInputs({ schedule: upTo(base) }), contracts).get(CREATE2_DEPLOYER.address);
      expect(account!.code).toBe(CREATE2_DEPLOYER.code);
    },
  );
});
