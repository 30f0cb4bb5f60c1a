import { option } from '../../../system/program/options.ts';

/**
 * Options of throttling: smaller blocks while L1 does not keep up with the sequencer (op-batcher: `ThrottleParams`).
 */
export const THROTTLE_OPTIONS = {
  throttleLower: {
    name: 'throttle.unsafe-da-bytes-lower-threshold',
    env: 'THROTTLE_UNSAFE_DA_BYTES_LOWER_THRESHOLD',
    help: 'Estimated bytes of unsafe blocks above which throttling starts; 0: never, and no limits are set',
    type: option.natural,
    default: 3_200_000,
  },
  throttleUpper: {
    name: 'throttle.unsafe-da-bytes-upper-threshold',
    env: 'THROTTLE_UNSAFE_DA_BYTES_UPPER_THRESHOLD',
    help: 'Bytes from which throttling is at its strongest (linear, quadratic)',
    type: option.natural,
    default: 12_800_000,
  },
  throttleController: {
    name: 'throttle.controller-type',
    env: 'THROTTLE_CONTROLLER_TYPE',
    help: 'How strength grows between the thresholds; step: the strongest at once above the lower one',
    type: option.choice('step', 'linear', 'quadratic'),
    default: 'quadratic',
  },
  throttleTxLower: {
    name: 'throttle.tx-size-lower-limit',
    env: 'THROTTLE_TX_SIZE_LOWER_LIMIT',
    help: 'Bytes of one transaction at the strongest; 0: no limit on transactions at any strength',
    type: option.natural,
    default: 150,
  },
  throttleTxUpper: {
    name: 'throttle.tx-size-upper-limit',
    env: 'THROTTLE_TX_SIZE_UPPER_LIMIT',
    help: 'Bytes of one transaction at the weakest',
    type: option.natural,
    default: 20_000,
  },
  throttleBlockLower: {
    name: 'throttle.block-size-lower-limit',
    env: 'THROTTLE_BLOCK_SIZE_LOWER_LIMIT',
    help: 'Bytes of one block at the strongest; 0: no limit on blocks at any strength',
    type: option.natural,
    default: 2_000,
  },
  throttleBlockUpper: {
    name: 'throttle.block-size-upper-limit',
    env: 'THROTTLE_BLOCK_SIZE_UPPER_LIMIT',
    help: 'Bytes of one block while nothing is throttled; 0: no limit',
    type: option.natural,
    default: 130_000,
  },
  throttleEndpoints: {
    name: 'throttle.additional-endpoints',
    env: 'THROTTLE_ADDITIONAL_ENDPOINTS',
    help: 'Further execution clients that are given the limits, besides --l2-eth-rpc',
    type: option.list,
    default: [],
  },
} as const;
