import { type OptionSpec, option } from '../../../system/options.ts';

const DA_READER = 'a rollup node only reads from the DA server, one input at a time; this is for batchers';

/**
 * Options of the interface whose effect this build does not have: each is accepted at its default and refused, with its reason, at any other
 * value, so that no setting is swallowed.
 */
export const unbuilt: Readonly<Record<string, OptionSpec & { readonly reason: string }>> = {
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
  overrideLagoon: number(
    'override.lagoon',
    'OVERRIDE_LAGOON',
    'activation time of lagoon',
    'this build has no rules of that fork, with which interop begins',
  ),
};

/** What is wrong with values of options that have no effect: one sentence each, naming the option and the reason. */
export function refusals(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(unbuilt).flatMap(([key, spec]) => {
    const value = values[key];
    return same(value, spec.default) ? [] : [`--${spec.name}: ${spec.reason}`];
  });
}

function same(left: unknown, right: unknown): boolean {
  return left === right || (Array.isArray(left) && Array.isArray(right) && left.join() === right.join());
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
