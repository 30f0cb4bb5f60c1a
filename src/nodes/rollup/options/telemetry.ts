import { type OptionType, option } from '../../../system/program/options.ts';

const GO_ONLY = ['goroutine', 'threadcreate', 'block', 'mutex'];
const PROFILE_KINDS = ['cpu', 'heap', 'allocs'] as const;

/** A kind of profile. Kinds of Go's own runtime are refused with that reason. */
const profileKind: OptionType<(typeof PROFILE_KINDS)[number]> = {
  label: PROFILE_KINDS.join('|'),
  parse(text) {
    if (GO_ONLY.includes(text))
      throw new Error(
        `${text} profiles are of Go's runtime, which this program has not: expected ${PROFILE_KINDS.join(', ')}`,
      );
    const kind = PROFILE_KINDS.find((name) => name === text);
    if (!kind) throw new Error(`expected one of ${PROFILE_KINDS.join(', ')}, found ${JSON.stringify(text)}`);
    return kind;
  },
};

/**
 * Options of metrics and profiles (interface, section 4.4).
 * Counterpart in op-node: `MetricsConfig`, in op-service: `oppprof.CLIFlags`.
 */
export const telemetryOptions = {
  metricsEnabled: {
    name: 'metrics.enabled',
    env: 'METRICS_ENABLED',
    help: "serve metrics in Prometheus' format",
    type: option.boolean,
    default: false,
  },
  metricsAddr: {
    name: 'metrics.addr',
    env: 'METRICS_ADDR',
    help: 'metrics listen address',
    type: option.string,
    default: '0.0.0.0',
  },
  metricsPort: {
    name: 'metrics.port',
    env: 'METRICS_PORT',
    help: 'metrics listen port; 0: any',
    type: option.port,
    default: 7300,
  },
  pprofEnabled: {
    name: 'pprof.enabled',
    env: 'PPROF_ENABLED',
    help: 'serve profiles for go tool pprof',
    type: option.boolean,
    default: false,
  },
  pprofAddr: {
    name: 'pprof.addr',
    env: 'PPROF_ADDR',
    help: 'pprof listen address',
    type: option.string,
    default: '0.0.0.0',
  },
  pprofPort: {
    name: 'pprof.port',
    env: 'PPROF_PORT',
    help: 'pprof listen port; 0: any',
    type: option.port,
    default: 6060,
  },
  pprofPath: {
    name: 'pprof.path',
    env: 'PPROF_PATH',
    help: 'where the profile of the run goes; in a folder: <type>.prof',
    type: option.string,
  },
  pprofType: {
    name: 'pprof.type',
    env: 'PPROF_TYPE',
    help: 'profile of the whole run, written when it ends',
    type: profileKind,
  },
} as const;
