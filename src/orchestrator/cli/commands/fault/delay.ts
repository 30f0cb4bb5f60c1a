import { EXIT, Failure } from '../../../../system/failure.ts';
import { SHAPE_OPTIONS, shapeOf, shapingCommand } from '../../families/fault-command.ts';

export const command = shapingCommand({
  name: 'delay',
  summary: 'make links slow: bytes arrive late, some later, or after retransmissions',
  examples: [
    'devnet fault delay sequencer-verifier --ms 200 --jitter 50',
    'devnet fault delay verifier:engine --ms 500 --for 30s',
  ],
  options: [SHAPE_OPTIONS.ms, SHAPE_OPTIONS.jitter, SHAPE_OPTIONS.loss, SHAPE_OPTIONS.kbps],
  isDirected: true,
  shape(options) {
    const shape = shapeOf(options);
    if (shape.delay === undefined && shape.jitter === undefined && shape.loss === undefined)
      throw new Failure('usage', 'expected --ms, --jitter or --loss', {
        exit: EXIT.usage,
        hint: 'for example `--ms 200 --jitter 50`; `devnet fault limit` bounds the rate alone',
      });
    return shape;
  },
});
