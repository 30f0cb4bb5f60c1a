import { RESERVED_FORKS } from '../../../protocol/forks/index.ts';
import { type OptionSpec, option } from '../../../system/program/options.ts';

const DA_READER = 'a rollup node only reads from the DA server, one input at a time; this is for batchers';

/**
 * Options of the interface that have no effect in this build.
 * Each is accepted at its default and rejected with its reason at any other value, so that no setting is ignored.
 */
export const UNSUPPORTED_OPTIONS: Readonly<Record<string, OptionSpec & { readonly reason: string }>> = {
  network: text(
    'network',
    'NETWORK',
    'predefined network',
    'this build knows no predefined networks; give --rollup.config',
  ),
  altdaPut: duration('altda.put-timeout', 'ALTDA_PUT_TIMEOUT', 'DA put timeout', DA_READER, 0, '0s'),
  altdaRequests: number(
    'altda.max-concurrent-da-requests',
    'ALTDA_MAX_CONCURRENT_DA_REQUESTS',
    'DA requests at once',
    DA_READER,
    1,
  ),
  ...Object.fromEntries(
    RESERVED_FORKS.map((fork) => [`override${fork.charAt(0).toUpperCase()}${fork.slice(1)}`, reserved(fork)]),
  ),
};

/** Returns one sentence for each option without effect that has another value than its default. */
export function refusals(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(UNSUPPORTED_OPTIONS).flatMap(([key, spec]) => {
    const value = values[key];
    return same(value, spec.default) ? [] : [`--${spec.name}: ${spec.reason}`];
  });
}

function same(left: unknown, right: unknown): boolean {
  return left === right || (Array.isArray(left) && Array.isArray(right) && left.join() === right.join());
}

function reserved(fork: string) {
  const help = `activation time of ${fork}`;
  return number(`override.${fork}`, `OVERRIDE_${fork.toUpperCase()}`, help, `this build has no rules of ${fork}`);
}

function text(name: string, env: string, help: string, reason: string, fallback?: string) {
  return { name, env, help, reason, type: option.string, ...(fallback === undefined ? {} : { default: fallback }) };
}

function number(name: string, env: string, help: string, reason: string, fallback?: number) {
  return { name, env, help, reason, type: option.natural, ...(fallback === undefined ? {} : { default: fallback }) };
}

function duration(name: string, env: string, help: string, reason: string, fallback: number, defaultText: string) {
  return { name, env, help, reason, type: option.duration, default: fallback, defaultText };
}
