export { analyse } from './code';
export { run } from './generated/run';
export {
  ARENA,
  FRAME_CODE,
  FRAME_CODE_SIZE,
  FRAME_GAS,
  FRAME_JUMPS,
  FRAME_LEVEL,
  FRAME_MEMORY,
  FRAME_MEMORY_SIZE,
  FRAME_PC,
  FRAME_SP,
  STACK,
} from './layout';
