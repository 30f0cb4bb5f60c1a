import { domainSeparator, keccak256 } from 'viem';
import { describe, expect, it } from 'vitest';
import { CREATE2_DEPLOYER } from '../../src/protocol/execution/create2-deployer.ts';
import { l2Alloc } from '../../src/protocol/genesis/index.ts';
import { chainInputs, contracts, upTo } from '../protocol/genesis/inputs.ts';

const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3';

describe('preinstalls', () => {
  it.each([901, 4242])('Permit2 caches the domain of chain %i', (chainId) => {
    const { code } = l2Alloc(chainInputs({ chainId }), contracts).get(PERMIT2)!;
    expect(code).toContain(
      domainSeparator({ domain: { name: 'Permit2', chainId, verifyingContract: PERMIT2 } }).slice(2),
    );
    expect(code).toContain(chainId.toString(16).padStart(64, '0'));
  });

  it.each(['bedrock', 'canyon'] as const)(
    'Create2Deployer stands in the genesis of %s with the code that canyon sets',
    (base) => {
      const account = l2Alloc(chainInputs({ schedule: upTo(base) }), contracts).get(CREATE2_DEPLOYER.address);
      expect(account!.code).toBe(CREATE2_DEPLOYER.code);
      expect(keccak256(account!.code)).toBe('0xb0550b5b431e30d38000efb7107aaa0ade03d48a7198a140edda9d27134468b2');
    },
  );
});
