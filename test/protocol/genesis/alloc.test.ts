import { describe, expect, it } from 'vitest';
import { l1Addresses } from '../../../src/protocol/genesis/addresses.ts';
import { balanceOf, l1Alloc, l2Alloc, layersAt } from '../../../src/protocol/genesis/alloc.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { chainInputs, GENESIS_TIME, upTo } from './inputs.ts';
import { KEY, PREDEPLOY, SHARED, small } from './small-contracts.ts';

const OWN: Hex = `0x${'ab'.repeat(20)}`;
const ROLE_BALANCE = 10_000n * 10n ** 18n;
const account = (changes: object = {}) => ({ balance: 0n, nonce: 0, code: '0x', storage: {}, ...changes });
const hex = (digits: string) => `0x${digits}`;

const asObject = (alloc: ReadonlyMap<Hex, unknown>) => Object.fromEntries(alloc);

describe('L2 genesis state', () => {
  const inputs = chainInputs({
    schedule: upTo('ecotone'),
    accounts: [{ address: hex('AB'.repeat(20)) as Hex, balance: '7' }],
  });
  const { owner } = inputs.roles;
  const proxy = account({ code: '0x6001', storage: { [hex(KEY.first)]: hex(KEY.second) } });
  const state = {
    [hex('0'.repeat(40))]: account({ balance: 1n }),
    [hex('1'.padStart(40, '0'))]: account({ balance: 1n }),
    [hex(`4200${'0'.repeat(36)}`)]: proxy,
    [hex(PREDEPLOY)]: account({ code: `0x60${owner.slice(2)}5b` }),
    [hex(`4200${'0'.repeat(35)}2`)]: proxy,
    [hex('22'.repeat(20))]: account({ nonce: 1, code: '0x6001' }),
    [OWN]: account({ balance: 7n }),
  };

  it('has precompiles, proxies, the layers of active forks and funded accounts', () => {
    expect(asObject(l2Alloc(inputs, small))).toStrictEqual(state);
  });

  it('depends on the genesis time only through the forks that are active then', () => {
    const schedule = { ...inputs.schedule, jovian: GENESIS_TIME + 500 };
    const at = (genesisTime: number) => asObject(l2Alloc({ ...inputs, schedule, genesisTime }, small));
    expect(at(GENESIS_TIME + 499)).toStrictEqual(state);
    expect(at(GENESIS_TIME + 500)).not.toStrictEqual(state);
    expect(at(GENESIS_TIME + 1000)).toStrictEqual(at(GENESIS_TIME + 500));
  });

  it('has the accounts of the user over all others', () => {
    const alloc = { [hex(PREDEPLOY)]: { balance: '0x5' }, [OWN]: { nonce: 3 } } as const;
    const laid = asObject(l2Alloc({ ...inputs, alloc }, small));
    expect(laid).toStrictEqual({
      ...state,
      [hex(PREDEPLOY)]: { ...state[hex(PREDEPLOY)], balance: 5n },
      [OWN]: account({ balance: 7n, nonce: 3 }),
    });
  });

  it.each([
    ['bedrock', ['bedrock']],
    ['delta', ['bedrock']],
    ['ecotone', ['bedrock', 'ecotone']],
    ['jovian', ['bedrock', 'ecotone', 'jovian']],
  ] as const)('at base %s has the layers %j', (base, forks) => {
    expect(layersAt(chainInputs({ schedule: upTo(base) }), small).map(({ fork }) => fork)).toEqual(forks);
  });

  it.each([
    [GENESIS_TIME, ['bedrock', 'ecotone', 'jovian']],
    [GENESIS_TIME + 1, ['bedrock', 'ecotone']],
  ])('has the layer of a fork that activates at %i: %j', (jovian, forks) => {
    const schedule = { ...upTo('isthmus'), jovian };
    expect(layersAt(chainInputs({ schedule }), small).map(({ fork }) => fork)).toEqual(forks);
  });
});

describe('L1 genesis state', () => {
  const withdrawals = { ...chainInputs().withdrawals, portalBalance: '9' };
  const chain = chainInputs({ accounts: [{ address: OWN, balance: '7' }], withdrawals });
  const inputs = {
    chainId: 900,
    hardfork: 'prague',
    genesisTime: GENESIS_TIME,
    accounts: [],
    chains: [chain],
  } as const;
  const addresses = l1Addresses(901, small);
  const shared = {
    [hex(SHARED)]: account({ nonce: 1, code: '0x6001' }),
    [hex('12'.repeat(20))]: account({ code: '0x6001' }),
  };
  const { owner, proposer, challenger } = chain.roles;
  const roles = [owner, proposer, challenger, chain.systemConfig.batcherAddr];
  const funded = Object.fromEntries(roles.map((address) => [address, account({ balance: ROLE_BALANCE })]));

  it('has shared contracts, those of each chain, its roles and accounts, and what the portal holds', () => {
    const state = asObject(l1Alloc(inputs, small));
    const { [addresses['SystemConfig']!]: config, [addresses['OptimismPortal']!]: portal } = state;
    expect(config).toStrictEqual(
      account({
        code: `0x60${owner.slice(2)}5b`,
        storage: {
          [hex(KEY.first)]: hex((901).toString(16).padStart(64, '0')),
          [hex(KEY.third)]: hex('ff'.repeat(32)),
        },
      }),
    );
    expect(portal).toStrictEqual(account({ balance: 9n, code: '0x6001' }));
    expect(state).toMatchObject({
      ...shared,
      ...funded,
      [OWN]: account({ balance: 7n }),
      [hex('13'.repeat(20))]: account(),
    });
    expect(Object.keys(state)).toHaveLength(2 + 4 + 1 + 4 + 1);
  });

  it('has the contracts of the chain’s system of withdrawals', () => {
    const games = { ...chain, withdrawals: { ...withdrawals, system: 'dispute-games' } } as const;
    const state = l1Alloc({ ...inputs, chains: [games] }, small);
    expect(state.has(l1Addresses(901, small, 'dispute-games')['DisputeGameFactory']!)).toBe(true);
    expect(state.has(hex('13'.repeat(20)) as Hex)).toBe(false);
  });

  it('has the accounts of L1 over those of its chains, and those of the user over all', () => {
    const accounts = [{ address: OWN, balance: '8' }];
    expect(l1Alloc({ ...inputs, accounts }, small).get(OWN)).toEqual(account({ balance: 8n }));
    const alloc = { [OWN]: { nonce: 2 } };
    expect(l1Alloc({ ...inputs, accounts, alloc }, small).get(OWN)).toEqual(account({ balance: 8n, nonce: 2 }));
  });

  it('has shared contracts alone without chains', () => {
    expect(asObject(l1Alloc({ ...inputs, chains: [] }, small))).toStrictEqual(shared);
  });
});

describe('funded account', () => {
  it('has its address in lower case and its wei', () => {
    expect(balanceOf({ address: `0x${'AB'.repeat(20)}`, balance: '12' })).toEqual([OWN, 12n]);
  });

  it.each([
    [OWN, ''],
    [OWN, '-1'],
    [OWN, '1.5'],
    [OWN, '1x'],
    [OWN, 'x1'],
    [OWN.slice(0, -1), '1'],
    [`${OWN}0`, '1'],
    [`x${OWN}`, '1'],
    ['ab'.repeat(21), '1'],
  ])('is refused as %s with %s wei', (address, balance) => {
    expect(() => balanceOf({ address: address as Hex, balance })).toThrow(
      expect.objectContaining({ name: 'GenesisError', code: 'account', data: { address, balance } }),
    );
  });
});
