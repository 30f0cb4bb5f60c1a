import { redactUrl } from '../../rpc/client/client.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Clock } from '../../system/time/clock.ts';
import { hostOriginPolicy } from '../service/host-origin.ts';
import type { DriverEvent } from './driver/events.ts';
import type { EngineClient } from './engine/client.ts';
import { type InteropServer, interopServer } from './interop-service.ts';
import type { NodeApi } from './methods/api.ts';
import type { RollupNodeOptions } from './options/index.ts';
import { openSnapshotLog } from './snapshot-log.ts';

/** Passes the driver's events to the snapshot log and the interop supervisor, if the options enable them. */
export interface EventListeners {
  /** Drops events before `start`. */
  onEvent(event: DriverEvent): void;
  /** Starts the interop RPC. @throws the listen error */
  start(node: NodeApi, client: EngineClient): Promise<void>;
  stop(): Promise<void>;
}

/** Opens the files of the listeners. @throws Failure if one cannot be used */
export function openEventListeners(options: RollupNodeOptions, clock: Clock, log: Logger): EventListeners {
  const snapshots =
    options.snapshotLog === undefined
      ? undefined
      : openSnapshotLog(options.snapshotLog, redactUrl(options.l2), () => clock.now(), log);
  const interop: InteropServer | undefined =
    options.interopAddr === undefined || options.interopJwt === undefined
      ? undefined
      : interopServer(
          {
            host: options.interopAddr,
            port: options.interopPort,
            ...hostOriginPolicy(options),
            secretFile: options.interopJwt,
          },
          log,
        );
  let node: NodeApi | undefined;
  return {
    onEvent(event) {
      if (!node) return;
      snapshots?.onEvent(event, node.syncStatus());
      interop?.onEvent(event);
    },
    async start(started, client) {
      node = started;
      await interop?.start({ node: started, client });
    },
    async stop() {
      snapshots?.close();
      await interop?.stop();
    },
  };
}
