import { BN256_PAIRING } from '../rules/precompiles.ts';
import { defineFork } from './fork.ts';
import { jovian } from './jovian.ts';

/**
 * Specification: karst. A subset of Osaka, upgrade transactions from a bundle file.
 * Osaka's price of P256VERIFY (EIP-7951) and cap on a transaction's gas (EIP-7825; not for deposits). Upgrade
 * transactions: `UpgradeTransactions` (op-node), `Hardforks::KARST` (kona).
 */
export const karst = defineFork({
  name: 'karst',
  follows: 'jovian',
  ethereumKey: 'osakaTime',
  rules: {
    evm: 'osaka',
    precompiles: {
      inputLimits: { ...jovian.rules.precompiles.inputLimits, [BN256_PAIRING]: 57_600 },
      p256VerifyGas: 6900,
      transactionGasCap: 2 ** 24,
    },
    engine: { forkchoiceUpdated: 3, newPayload: 4, getPayload: 5 },
  },
  upgrade: { qualifiedIntents: true, addsGas: true, keepGasKey: 'keep_karst_upgrade_gas' },
  activation: { noTxPool: true, emptyBatch: true },
});
