import { redactUrl } from '../../rpc/client/client.ts';

/** Where spans are sent. */
export interface TraceSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly service: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Time (ms) of a request, if OTEL_EXPORTER_OTLP_TIMEOUT names none: the default of the field. */
const EXPORT_TIMEOUT_MS = 10_000;

/** Why spans are not sent, though an endpoint is set. */
export interface NoTraces {
  readonly because: string;
}

/**
 * Returns where spans are sent, by the endpoint of the spec and the standard variables of OpenTelemetry. The spec's
 * endpoint comes first. undefined: nowhere.
 */
export function traceSettings(endpoint: string | undefined, env: Environment): TraceSettings | NoTraces | undefined {
  const value = (name: string) => env[`OTEL_EXPORTER_OTLP_TRACES_${name}`] || env[`OTEL_EXPORTER_OTLP_${name}`];
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return undefined;
  const base = endpoint ?? env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const exact = endpoint === undefined ? env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] : undefined;
  const url = exact || (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (!url) return undefined;
  if (endpoint === undefined && env['OTEL_TRACES_EXPORTER'] === 'none') return undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return { because: `expected a URL of http or https, found ${redactUrl(url)}` };
  if (endpoint === undefined && value('PROTOCOL') === 'grpc')
    return { because: 'OTEL_EXPORTER_OTLP_PROTOCOL is grpc, but spans go by HTTP: set http/json, and port 4318' };
  const timeout = Number(value('TIMEOUT'));
  return {
    ...withoutCredentials(url, pairsOf(value('HEADERS'))),
    timeoutMs: timeout > 0 ? timeout : EXPORT_TIMEOUT_MS,
    service: env['OTEL_SERVICE_NAME'] || undefined,
    attributes: pairsOf(env['OTEL_RESOURCE_ATTRIBUTES']),
  };
}

/** Moves user and password of a URL to a header: a request by `fetch` has none in its URL. */
function withoutCredentials(text: string, headers: Readonly<Record<string, string>>) {
  const url = new URL(text);
  const { username, password } = url;
  if (username === '' && password === '') return { url: text, headers };
  url.username = '';
  url.password = '';
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { url: url.href, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}`, ...headers } };
}

/** Reads `key=value,key=value`, with percent encoding. */
function pairsOf(text = ''): Record<string, string> {
  return Object.fromEntries(
    text.split(',').flatMap((pair): [string, string][] => {
      const [key = '', ...rest] = pair.split('=');
      return key.trim() === '' || rest.length === 0 ? [] : [[decoded(key), decoded(rest.join('='))]];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return text.trim();
  }
}
