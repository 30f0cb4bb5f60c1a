import * as z from 'zod/mini';
import { withDescription } from './words.ts';

const TEXT = 'the value of a label: text of letters, digits and ._- between, at most 63';
/** Labels and values that both Swarm constraints and Kubernetes selectors take. */
const word = z.string(TEXT).check(z.regex(/^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/, TEXT));

/** Labels that a machine of an engine has. */
export const place = z.exactOptional(
  withDescription(
    z.record(word, word),
    'labels of the machine on which an engine runs it: { disk: ssd }. The innermost place counts; ' +
      'without an engine it has no effect',
  ),
);
