import { option } from '../../system/options.ts';

/** How transactions are seen through on L1: the same for every program that sends some. */
export const SENDER_OPTIONS = {
  confirmations: {
    name: 'num-confirmations',
    env: 'NUM_CONFIRMATIONS',
    help: 'L1 blocks from inclusion on, itself counted, before a transaction counts as there',
    type: option.natural,
    default: 1,
  },
  resubmissionTimeout: {
    name: 'resubmission-timeout',
    env: 'RESUBMISSION_TIMEOUT',
    help: 'Time without inclusion after which fees are raised',
    type: option.duration,
    default: 48_000,
    defaultText: '48s',
  },
  feeLimitMultiplier: {
    name: 'fee-limit-multiplier',
    env: 'TXMGR_FEE_LIMIT_MULTIPLIER',
    help: 'Fees rise up to this multiple of what the market asks',
    type: option.natural,
    default: 5,
  },
} as const;
