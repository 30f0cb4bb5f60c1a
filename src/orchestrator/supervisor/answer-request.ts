import { EXIT } from '../../system/failure.ts';
import { answerClock } from '../clock/answer.ts';
import type { TimeControl } from '../clock/time-control.ts';
import type { AnsweredRequest, NodeRequest, SnapshotRequest } from '../control/requests.ts';
import type { EndAnswer } from '../control/supervisor-protocol.ts';
import type { StateRecord } from '../record/state-record.ts';
import type { Finish } from './finish.ts';

/** What requests of the control socket read and change. */
export interface RequestParts {
  readonly record: StateRecord;
  readonly time: TimeControl;
  readonly node: (request: NodeRequest) => Promise<unknown>;
  readonly snapshot: (request: SnapshotRequest) => Promise<unknown>;
  /** Aborted by a teardown that kills at once. */
  readonly kill: AbortController;
  readonly finish: (finish: Finish) => void;
  /** Rejects with the failure that ends the network: the answer to each change under way. */
  readonly failed: Promise<never>;
  /** Resolves when the devnet has ended: the answer to the request that ends it. */
  readonly ended: Promise<EndAnswer>;
}

/** Returns the function that answers a request. `gone` is aborted when the connection of the request closes. */
export function requestAnswers(parts: RequestParts): (request: AnsweredRequest, gone: AbortSignal) => Promise<unknown> {
  const { record, time, kill, finish, failed, ended } = parts;
  return async (request, gone) => {
    switch (request.method) {
      case 'state':
        return { state: record.state() };
      case 'node':
        return Promise.race([parts.node(request), failed]);
      case 'snapshot':
        return Promise.race([parts.snapshot(request), failed]);
      case 'clock':
      case 'warp':
      case 'jump':
        return Promise.race([answerClock(request, time, record.wasReady, gone), failed]);
      case 'stop':
        finish({ how: 'stop', code: EXIT.done });
        return ended;
      case 'down':
        if (request.kill) kill.abort();
        finish({ how: request.keepData ? 'keep' : 'down', code: EXIT.done });
        return ended;
    }
  };
}
