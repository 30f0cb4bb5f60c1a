import * as z from 'zod';
import { RPC_CODE, RpcError } from '../../rpc/error.ts';
import { type MethodTable, method } from '../../rpc/method.ts';
import { asError } from '../../system/failure.ts';
import type { Logger } from '../../system/program/log.ts';
import { readLogLevel } from '../service/log-level.ts';
import { DATA_AVAILABILITY_TYPES, type DataAvailabilityType } from './options/da-type.ts';
import { CONTROLLERS, type Controller } from './throttle/throttle-controller.ts';
import type { Throttler } from './throttle/throttler.ts';

/** Operations of the batcher that the admin methods call (op-batcher: `BatcherDriver`). */
export interface BatcherControl {
  readonly version: string;
  readonly running: boolean;
  start(): void;
  stop(): Promise<void>;
  flush(): void;
  readonly dataAvailability: DataAvailabilityType;
  /** @throws Error if the batcher's other settings do not allow it */
  setDataAvailability(kind: DataAvailabilityType): void;
  /** undefined: the batcher was started without throttling. */
  readonly throttling: Throttler | undefined;
  readonly log: Logger;
}

const NO_PARAMS = z.tuple([]);
type Of = BatcherControl;

const refused = (message: string) => new RpcError(RPC_CODE.server, message);

/** Methods that are always served. */
export const HEALTH_METHODS: MethodTable<BatcherControl> = {
  health_status: method('Version of this program', NO_PARAMS, ({ version }: Of) => version),
};

/** Methods of the admin namespace, with op-batcher's messages (op-batcher: `adminAPI`). */
export const ADMIN_METHODS: MethodTable<BatcherControl> = {
  admin_startBatcher: method('Starts batching at the safe head', NO_PARAMS, (control: Of) => {
    if (control.running) throw refused('batcher is already running');
    control.start();
    return null;
  }),
  admin_stopBatcher: method(
    'Stops batching; transactions under way are not waited for',
    NO_PARAMS,
    async (control: Of) => {
      if (!control.running) throw refused('batcher is not running');
      await control.stop();
      return null;
    },
  ),
  admin_flushBatcher: method('Posts at once the blocks that are not posted', NO_PARAMS, (control: Of) => {
    if (!control.running) throw refused('batcher is not running');
    control.flush();
    return null;
  }),
  admin_dataAvailabilityType: method(
    'What carries the channels: calldata, blobs, or auto',
    NO_PARAMS,
    ({ dataAvailability }: Of) => dataAvailability,
  ),
  admin_setDataAvailabilityType: method(
    'Has calldata, blobs, or auto carry what is not posted yet',
    z.tuple([z.string()]),
    (control: Of, [kind]) => {
      try {
        control.setDataAvailability(oneOf<DataAvailabilityType>(DATA_AVAILABILITY_TYPES, kind));
      } catch (error) {
        throw error instanceof RpcError ? error : refused(asError(error).message);
      }
      return null;
    },
  ),
  admin_getThrottleController: method(
    'Throttling as it is now',
    NO_PARAMS,
    (control: Of) => throttlingOf(control).state,
  ),
  admin_setThrottleController: method(
    'Sets how throttling grows with the load: step, linear, or quadratic',
    z.tuple([z.string(), z.unknown().optional()]),
    (control: Of, [type]) => {
      throttlingOf(control).use(oneOf<Controller>(CONTROLLERS, type));
      return null;
    },
  ),
  admin_resetThrottleController: method('Gives the execution clients their limits again', NO_PARAMS, (control: Of) => {
    throttlingOf(control).reset();
    return null;
  }),
  admin_setLogLevel: method('Sets the lowest level printed', z.tuple([z.string()]), ({ log }: Of, [name]) => {
    log.level = readLogLevel(name);
    return null;
  }),
};

function throttlingOf({ throttling }: BatcherControl): Throttler {
  if (throttling === undefined) throw refused('throttling is off: --throttle.unsafe-da-bytes-lower-threshold is 0');
  return throttling;
}

/** @throws RpcError if the word is not in the list */
function oneOf<Word extends string>(words: readonly Word[], value: string): Word {
  const word = words.find((entry) => entry === value);
  if (word !== undefined) return word;
  throw new RpcError(RPC_CODE.invalidParams, `expected one of ${words.join(', ')}, found ${JSON.stringify(value)}`);
}
