import type { Carrier } from '../../orchestrator/inspect/carrier.ts';
import { digitGroups } from '../../system/numbers/human.ts';
import { Copyable } from '../parts/copy.tsx';

import { BlockLink, TransactionLink } from './links.tsx';

/** Frames that are listed. */
const MAX_SHOWN_FRAMES = 50;

/** The batch that carried a block to L1, with its channel and its frames. */
export function CarrierText({ carrier }: { readonly carrier: Carrier }) {
  if (carrier.kind === 'none') return <span class="dim">none: {carrier.because}</span>;
  const { channel, l1Block } = carrier;
  return (
    <>
      {carrier.batch} batch {carrier.index + 1}
      {carrier.blocks > 1 ? `, block ${carrier.position + 1} of ${carrier.blocks}` : ''}, complete in L1 block{' '}
      <BlockLink chain="l1" id={l1Block.number} />
      <br />
      channel <Copyable value={channel.id} />, {digitGroups(channel.bytes)} bytes,{' '}
      {channel.compression ?? 'unknown compression'}
      <ul class="plain">
        {channel.frames.slice(0, MAX_SHOWN_FRAMES).map(({ number, bytes, l1Block: at, transaction, blob }) => (
          <li key={`${number} ${transaction}`}>
            frame {number}, {digitGroups(bytes)} bytes, {blob === undefined ? 'calldata' : 'blob'} of{' '}
            <TransactionLink chain="l1" hash={transaction} /> in L1 block <BlockLink chain="l1" id={at.number} />
          </li>
        ))}
      </ul>
      {channel.frames.length > MAX_SHOWN_FRAMES && `and ${channel.frames.length - MAX_SHOWN_FRAMES} more frames`}
    </>
  );
}
