import { EXIT, Failure } from '../../../../system/failure.ts';
import { SHAPE_OPTIONS, shapeOf, shapingCommand } from '../../families/fault-command.ts';

export const command = shapingCommand({
  name: 'limit',
  summary: 'bound the rate of links: each direction of a link has so many kilobits per second',
  examples: ['devnet fault limit verifier --kbps 256', 'devnet fault limit batcher-l1 --kbps 64 --direction egress'],
  options: [SHAPE_OPTIONS.kbps, SHAPE_OPTIONS.ms, SHAPE_OPTIONS.jitter, SHAPE_OPTIONS.loss],
  isDirected: true,
  shape(options) {
    const shape = shapeOf(options);
    if (shape.bandwidth === undefined)
      throw new Failure('usage', 'expected --kbps', { exit: EXIT.usage, hint: 'for example `--kbps 256`' });
    return shape;
  },
});
