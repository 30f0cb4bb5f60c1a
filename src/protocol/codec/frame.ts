import { concatAll, u16be, u32be } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import { bytesToHex, hexToSized } from '../hex.ts';
import type { Hex } from '../types.ts';

/** First byte of batcher transaction data. */
const DERIVATION_VERSION = 0;
/** Bytes that a frame has besides its data (op-node: `FrameV0OverHeadSize`). */
export const FRAME_OVERHEAD = 23;
/** Most bytes of frame data that a reader accepts (op-node: `MaxFrameLen`). */
const MAX_FRAME_LENGTH = 1_000_000;

/** Part of a channel (op-node, kona: `Frame`; specification: derivation, Frame Format). */
export interface Frame {
  /** 16 bytes */
  readonly channelId: Hex;
  readonly number: number;
  readonly data: Uint8Array;
  readonly isLast: boolean;
}

/** Encodes channel id ‖ u16 number ‖ u32 length ‖ data ‖ u8 isLast (op-node: `Frame.MarshalBinary`). */
export function encodeFrame(frame: Frame): Uint8Array {
  const last = Uint8Array.of(frame.isLast ? 1 : 0);
  return concatAll([hexToSized(frame.channelId, 16), u16be(frame.number), u32be(frame.data.length), frame.data, last]);
}

/** Encodes the data of one batcher transaction: version byte and frames (op-batcher: `txData.CallData`). */
export function encodeBatcherTransaction(frames: readonly Frame[]): Uint8Array {
  return concatAll([Uint8Array.of(DERIVATION_VERSION), ...frames.map(encodeFrame)]);
}

/**
 * Decodes the frames of one batcher transaction: all or none (op-node: `ParseFrames`, kona: `Frame::parse_frames`).
 * The data is calldata, or that of a blob. Frame data shares memory with it.
 * @throws ProtocolError frame-malformed: drop the transaction
 */
export function decodeBatcherTransaction(data: Uint8Array): Frame[] {
  if (data[0] !== DERIVATION_VERSION)
    throw malformed(0, `expected version ${DERIVATION_VERSION}, found ${data[0] ?? 'no byte'}`);
  if (data.length === 1) throw malformed(1, 'expected at least one frame');
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const frames: Frame[] = [];
  for (let at = 1; at < data.length; ) {
    if (at + FRAME_OVERHEAD > data.length) throw malformed(at, `expected a frame, found ${data.length - at} bytes`);
    const length = view.getUint32(at + 18);
    if (length > MAX_FRAME_LENGTH) throw malformed(at, `frame of ${length} bytes exceeds ${MAX_FRAME_LENGTH}`);
    const end = at + FRAME_OVERHEAD + length;
    if (end > data.length) throw malformed(at, `frame of ${length} bytes reaches past the end by ${end - data.length}`);
    const last = view.getUint8(end - 1);
    if (last > 1) throw malformed(end - 1, `isLast must be 0 or 1, found ${last}`);
    frames.push({
      channelId: bytesToHex(data.subarray(at, at + 16)),
      number: view.getUint16(at + 16),
      data: data.subarray(at + 22, end - 1),
      isLast: last === 1,
    });
    at = end;
  }
  return frames;
}

/**
 * Splits a channel into frames of at most `maxFrameSize` bytes, overhead included (op-node: `ChannelOut.OutputFrame`).
 * An empty channel is one empty frame.
 */
export function splitIntoFrames(channelId: Hex, channel: Uint8Array, maxFrameSize: number): Frame[] {
  const room = Math.min(maxFrameSize - FRAME_OVERHEAD, MAX_FRAME_LENGTH);
  if (room < 1) {
    throw new ProtocolError('out-of-range', 'fatal', `a frame of ${maxFrameSize} bytes is too small for data`, {
      field: 'maxFrameSize',
      value: maxFrameSize,
    });
  }
  const count = Math.max(Math.ceil(channel.length / room), 1);
  return Array.from({ length: count }, (_, number) => ({
    channelId,
    number,
    data: channel.subarray(number * room, (number + 1) * room),
    isLast: number === count - 1,
  }));
}

function malformed(offset: number, problem: string): ProtocolError {
  return new ProtocolError('frame-malformed', 'drop', `batcher transaction at byte ${offset}: ${problem}`, { offset });
}
