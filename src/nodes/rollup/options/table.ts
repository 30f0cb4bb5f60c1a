import { COMMON_OPTIONS } from '../../../system/program/common-options.ts';
import type { OptionValues } from '../../../system/program/options.ts';
import { HOST_ORIGIN_OPTIONS } from '../../service/host-origin.ts';
import { altDaOptions } from './alt-da.ts';
import { interopOptions } from './interop.ts';
import { connectionOptions } from './l1.ts';
import { nodeOptions } from './node.ts';
import { p2pOptions } from './p2p.ts';
import { sequencerOptions } from './sequencer.ts';
import { telemetryOptions } from './telemetry.ts';
import { trustOptions } from './trust.ts';

/** The options with an effect, by key. */
export const table = {
  ...COMMON_OPTIONS,
  ...HOST_ORIGIN_OPTIONS,
  ...connectionOptions,
  ...altDaOptions,
  ...interopOptions,
  ...nodeOptions,
  ...p2pOptions,
  ...sequencerOptions,
  ...telemetryOptions,
  ...trustOptions,
} as const;

/** The parsed values. */
export type OptionTable = OptionValues<typeof table>;
