import * as z from 'zod/mini';
import { withDescription } from './words.ts';

/** Labels and values that both Swarm constraints and Kubernetes selectors take. */
const LABEL_TEXT = 'a label: letters, digits and ._- between, at most 63';
const label = z.string(LABEL_TEXT).check(z.regex(/^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/, LABEL_TEXT));
const VALUE_TEXT = 'the value of a label: text of letters, digits and ._- between, at most 63';
const value = z.string(VALUE_TEXT).check(z.regex(/^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/, VALUE_TEXT));

/** Labels that a machine of an engine has. */
export const place = z.exactOptional(
  withDescription(
    z.record(label, value),
    'labels of the machine on which an engine runs it: { disk: ssd }. The innermost place counts; ' +
      'without an engine it has no effect',
  ),
);
