import { log as keepLog } from '../host';
import { FRAME_MEMORY } from '../layout';

/** LOG0 to LOG4. The host reads the topics from the stack. */
export function log(sp: usize, topics: u32): void {
  const size = <u32>load<u64>(sp - 64);
  const data: usize = size == 0 ? 0 : load<usize>(FRAME_MEMORY) + <usize>load<u64>(sp - 32);
  keepLog(topics, sp - 96, data, size);
}
