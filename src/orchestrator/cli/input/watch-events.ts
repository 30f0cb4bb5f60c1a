import { EXIT } from '../../../system/failure.ts';
import { onInterrupt, onOutputGone } from '../../../system/program/terminal.ts';
import { connectControl } from '../../control/client.ts';
import { type Devnet, phaseOf } from '../../devnet/select.ts';
import type { Event } from '../../state/events.ts';
import { eventLines } from '../../status/event-line.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import type { Io } from '../../terminal/io.ts';

/** Prints the events of a devnet until it ends or this process is interrupted. Returns the exit code. */
export async function watchEvents(io: Io, { paths, ...devnet }: Devnet, json: boolean): Promise<number> {
  const control = await connectControl(paths.control);
  if (control === undefined) {
    io.stderr(`devnet: ${paths.name} is not running: it is ${phaseOf({ paths, ...devnet })}\n`);
    return EXIT.failed;
  }
  const { networkEvent } = json ? await import('../../status/network-event.ts') : { networkEvent: undefined };
  let end: Extract<Event, { event: 'end' }> | undefined;
  let code: number | undefined;
  const leave = (as: number) => {
    code ??= as;
    control.close();
  };
  const unfollow = [
    onInterrupt((signal) => leave(signal === 'SIGTERM' ? 143 : EXIT.interrupted)),
    onOutputGone(() => leave(EXIT.done)),
  ];
  await control.events((event) => {
    if (event.event === 'end') end = event;
    if (event.event !== 'network' || code !== undefined) return;
    if (networkEvent !== undefined) io.stdout(`${JSON.stringify(networkEvent.parse(event.network))}\n`);
    else for (const line of eventLines(event.network)) io.stdout(fitToTerminal(io, `${line}\n`));
  }, 'watch');
  for (const undo of unfollow) undo();
  control.close();
  if (code !== undefined) return code;
  if (end === undefined) {
    io.stderr(`devnet: the supervisor of ${paths.name} closed the connection\n`);
    return EXIT.failed;
  }
  io.stderr(`${paths.name} has ended${end.code === EXIT.done ? '' : ` with code ${end.code}`}\n`);
  return end.code;
}
