import type { DepositRules } from './rules.ts';

/** Execution of deposits (specification: Deposits, Execution). */
export const bedrockDeposit: DepositRules = { metered: false, receiptVersion: false };
export const regolithDeposit: DepositRules = { metered: true, receiptVersion: false };
export const canyonDeposit: DepositRules = { metered: true, receiptVersion: true };
