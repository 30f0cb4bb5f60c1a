import { spanText } from '../../system/numbers/human.ts';
import type { NetworkEvent } from '../state/network-event-type.ts';
import { nodeNames } from '../state/node-names.ts';
import { isoTime } from './forks.ts';

/** Formats an event as lines for people. */
export function eventLines(event: NetworkEvent): readonly string[] {
  const kind = event.kind.padEnd(11);
  switch (event.kind) {
    case 'head':
      return [`${kind} ${event.chain}/${event.node}  block ${event.number}  ${event.hash.slice(0, 10)}…`];
    case 'fork': {
      const place = `${event.chain}/${event.node}`;
      return [`${kind} ${place}  ${event.fork} is active from block ${event.block}  (${isoTime(event.time)})`];
    }
    case 'reorg': {
      const { from, to } = event;
      return [`${kind} ${event.chain}/${event.node}  from block ${refOf(from)} to block ${refOf(to)}`];
    }
    case 'stall':
      return [`${kind} ${event.subject}: ${event.what}${event.because === null ? '' : ` (${event.because})`}`];
    case 'recovery':
      return [`${kind} ${event.subject}: over after ${spanText((event.at - event.since) / 1000)}: ${event.what}`];
    case 'divergence':
      return [divergenceLine(event), ...(event.reason === '' ? [] : [`            ${event.reason}`])];
    case 'explanation':
      return [
        `${kind} ${nodeNames(event.chain, event.nodes)}, block ${event.block}: ${event.path}`,
        ...event.lines.map((line) => `            ${line}`),
      ];
    case 'agreement':
      return [`${kind} ${nodeNames(event.chain, event.nodes)}: agrees with the others at block ${event.block}`];
    case 'started':
      return [`${kind} ${event.task}${event.pid === null ? '' : `  process ${event.pid}`}`];
    case 'ended':
      return [`${kind} ${event.task}: ${event.what}`];
    case 'fault':
      return [`${kind} ${event.id} ${event.state}: ${event.what}`];
    case 'phase':
      return [`${kind} ${event.phase}`];
  }
}

function divergenceLine({ chain, nodes, block, how }: Extract<NetworkEvent, { kind: 'divergence' }>): string {
  const has = nodes.length === 1 ? 'has' : 'have';
  const what =
    how === 'hash' ? `${has} a different block ${block}` : `diverged from the others: block ${block} was refused`;
  return `divergence  ${nodeNames(chain, nodes)} ${what}`;
}

function refOf({ number, hash }: { readonly number: number; readonly hash: string }): string {
  return `${number} (${hash.slice(0, 10)}…)`;
}
