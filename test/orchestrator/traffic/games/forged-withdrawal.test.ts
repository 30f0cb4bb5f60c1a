import { keccak256 } from 'viem';
import { describe, expect, it } from 'vitest';
import { tryFinalize } from '../../../../src/orchestrator/traffic/finalization.ts';
import { forgeWithdrawal, proveForged } from '../../../../src/orchestrator/traffic/games/forged-withdrawal.ts';
import { gameOf, readGames } from '../../../../src/orchestrator/traffic/games/games.ts';
import { walletAt } from '../../../../src/orchestrator/traffic/transaction.ts';
import { addresses, roles, startL1 } from '../../../nodes/games/l1.ts';

const TO = `0x${'66'.repeat(20)}` as const;
const CHAIN = { name: 'main', contracts: { l1: addresses, l2: {} } } as never;

describe('a forged withdrawal', () => {
  it('has one output for a receiver and an amount', () => {
    const { root, withdrawalProof, outputRootProof } = forgeWithdrawal(TO, 5n);
    expect(forgeWithdrawal(TO, 5n).root).toBe(root);
    expect(forgeWithdrawal(TO, 6n).root).not.toBe(root);
    expect(outputRootProof.messagePasserStorageRoot).toBe(keccak256(withdrawalProof[0]!));
  });

  it('is proved against the game of its output, and not paid out while the game is in progress', async () => {
    const l1 = await startL1(20);
    try {
      const proposer = walletAt(l1.anvil.url, roles.proposer.privateKey);
      const forged = forgeWithdrawal(TO, 5n);
      await l1.create(roles.proposer.address, forged.root, 7);
      expect(await readGames(proposer, CHAIN, 9)).toMatchObject([
        { index: 0, block: 7, root: forged.root, state: 'in-progress', claims: 1 },
      ]);
      expect(await gameOf(proposer, CHAIN, forged.root, 7)).toBe(await l1.gameAt(0));
      expect(await gameOf(proposer, CHAIN, forged.root, 8)).toBeUndefined();
      const portal = addresses['OptimismPortal']!;
      await proveForged(proposer, portal, 0, forged);
      await l1.mine();
      await l1.mine();
      await expect(tryFinalize(proposer, portal, forged.withdrawal)).rejects.toThrow('OptimismPortal');
      await expect(proveForged(proposer, portal, 0, forgeWithdrawal(TO, 6n))).rejects.toThrow('invalid output root');
    } finally {
      await l1.anvil.kill();
    }
  });
});
