import type { Request } from '../control/requests.ts';
import type { ClockReading, TimeControl } from './time-control.ts';
import type { WarpResult } from './warp.ts';

/**
 * Answers a request about the network's clock. A warp ends when `gone` is aborted: its command was killed.
 * @throws Error where the clock cannot be moved
 */
export async function answerClock(
  request: Extract<Request, { method: 'clock' | 'warp' | 'jump' }>,
  time: TimeControl,
  isReady: boolean,
  gone: AbortSignal,
): Promise<ClockReading | WarpResult> {
  if (request.method === 'clock' && request.action === 'read') return time.read();
  if (!isReady) throw new Error('the network is still starting: wait until it is ready');
  if (request.method === 'warp') return time.warp(request.to, gone);
  if (request.method === 'jump') {
    time.jump(request.to, request.rate);
    return time.read();
  }
  switch (request.action) {
    case 'step':
      return time.step();
    case 'settle':
      await time.settle();
      break;
    case 'end':
      time.end();
      break;
    case 'pause':
      time.pause();
      break;
    case 'resume':
      time.resume();
      break;
  }
  return time.read();
}
