/** Names of the functions by which the intensity grows with the load (op-batcher: `ThrottleControllerType`). */
export const CONTROLLERS = ['step', 'linear', 'quadratic'] as const;
/** Name of the function by which the intensity of throttling grows with the load. */
export type Controller = (typeof CONTROLLERS)[number];

/** Settings of throttling (op-batcher: `ThrottleConfig`). Sizes in bytes. The thresholds apply to all unsafe blocks. */
export interface ThrottlePolicy {
  readonly controller: Controller;
  readonly lowerThreshold: number;
  readonly upperThreshold: number;
  readonly txLower: number;
  readonly txUpper: number;
  readonly blockLower: number;
  readonly blockUpper: number;
}

/** Limits of `miner_setMaxDASize`, bytes of estimated DA size; 0: no limit (op-batcher: `ThrottleParams`). */
export interface DaLimits {
  readonly maxTxSize: number;
  readonly maxBlockSize: number;
}

/**
 * Returns the intensity of throttling at a load, from 0 (none) to 1.
 * Counterparts in op-batcher: `StepStrategy`, `LinearStrategy`, `QuadraticStrategy`.
 */
export function intensityOf({ controller, lowerThreshold, upperThreshold }: ThrottlePolicy, load: number): number {
  if (load <= lowerThreshold) return 0;
  if (controller === 'step' || load >= upperThreshold) return 1;
  const linear = (load - lowerThreshold) / (upperThreshold - lowerThreshold);
  return controller === 'linear' ? linear : linear * linear;
}

/**
 * Returns the limits at an intensity, between the upper and lower ones (op-batcher: `intensityToParams`).
 * A lower limit of 0 stands for none.
 */
export function limitsAt(policy: ThrottlePolicy, intensity: number): DaLimits {
  const between = (upper: number, lower: number) => Math.floor(upper - intensity * (upper - lower));
  const { txLower, txUpper, blockLower, blockUpper } = policy;
  if (intensity === 0) return { maxTxSize: 0, maxBlockSize: blockUpper };
  return {
    maxTxSize: txLower === 0 ? 0 : between(Math.max(txUpper, txLower), txLower),
    maxBlockSize: blockLower === 0 ? blockUpper : between(Math.max(blockUpper, blockLower), blockLower),
  };
}
