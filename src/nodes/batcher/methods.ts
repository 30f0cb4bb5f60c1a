import * as z from 'zod';
import { RPC_CODE, RpcError } from '../../rpc/error.ts';
import { type MethodTable, method } from '../../rpc/method.ts';

/** What the admin methods work on. */
export interface BatcherControl {
  readonly version: string;
  readonly running: boolean;
  start(): void;
  stop(): Promise<void>;
  flush(): void;
}

const NONE = z.tuple([]);
type Of = BatcherControl;

const refused = (message: string) => new RpcError(RPC_CODE.server, message);

/** Methods that are always served. */
export const HEALTH_METHODS: MethodTable<BatcherControl> = {
  health_status: method('Version of this program', NONE, ({ version }: Of) => version),
};

/** Methods of the admin namespace, with op-batcher's words. */
export const ADMIN_METHODS: MethodTable<BatcherControl> = {
  admin_startBatcher: method('Starts batching at the safe head', NONE, (control: Of) => {
    if (control.running) throw refused('batcher is already running');
    control.start();
    return null;
  }),
  admin_stopBatcher: method('Stops batching; transactions under way are not waited for', NONE, async (control: Of) => {
    if (!control.running) throw refused('batcher is not running');
    await control.stop();
    return null;
  }),
  admin_flushBatcher: method('Posts what has been read so far', NONE, (control: Of) => {
    if (!control.running) throw refused('batcher is not running');
    control.flush();
    return null;
  }),
};
