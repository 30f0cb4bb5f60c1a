import { expect, it } from 'vitest';
import { traceSettings } from '../../../src/orchestrator/traces/settings.ts';

const [BASE, OWN] = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

it.each<[string, string | undefined, Record<string, string>, string | undefined]>([
  ['nothing is set', undefined, {}, undefined],
  ['variables are empty', undefined, { [BASE]: '', [OWN]: '' }, undefined],
  ['the spec names a collector', 'http://c:4318/', { [OWN]: 'http://e/x' }, 'http://c:4318/v1/traces'],
  ['a variable names a collector', undefined, { [BASE]: 'https://c/otel' }, 'https://c/otel/v1/traces'],
  ['a variable names the path of traces', undefined, { [OWN]: 'http://e/x', [BASE]: 'http://c' }, 'http://e/x'],
  ['the SDK is disabled', 'http://c', { OTEL_SDK_DISABLED: 'true' }, undefined],
  ['another exporter is chosen', undefined, { [BASE]: 'http://c', OTEL_TRACES_EXPORTER: 'none' }, undefined],
])('traces go to the right place when %s', (_, endpoint, env, url) => {
  const settings = traceSettings(endpoint, env);
  expect(settings && 'url' in settings ? settings.url : settings).toBe(url);
});

it.each([
  ['ftp://c', {}, 'expected a URL of http or https, found ftp://c/v1/traces'],
  [':4318', {}, 'expected a URL of http or https, found :4318/v1/traces'],
  ['http://c', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /is grpc, but spans go by HTTP/],
])('traces to %s %o are not sent, for a reason', (url, env, because) => {
  expect(traceSettings(undefined, { [BASE]: url, ...env })).toEqual({
    because: typeof because === 'string' ? because : expect.stringMatching(because),
  });
});

it('headers, time limit, service and attributes come from the variables, those of traces first', () => {
  const settings = traceSettings('http://c', {
    OTEL_EXPORTER_OTLP_HEADERS: 'a=1',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=Basic%20Zm9v=, broken,x-%zz=%zz',
    OTEL_EXPORTER_OTLP_TIMEOUT: '3000',
    OTEL_SERVICE_NAME: 'mine',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=ci',
  });
  expect(settings).toEqual({
    url: 'http://c/v1/traces',
    headers: { authorization: 'Basic Zm9v=', 'x-%zz': '%zz' },
    timeoutMs: 3000,
    service: 'mine',
    attributes: { 'deployment.environment.name': 'ci' },
  });
  for (const wrong of ['soon', '0', '-1'])
    expect(traceSettings('http://c', { OTEL_EXPORTER_OTLP_TIMEOUT: wrong })).toMatchObject({ timeoutMs: 10_000 });
});

it('user and password of a URL become a header', () => {
  expect(traceSettings('https://me:p%40ss@c/otel', {})).toMatchObject({
    url: 'https://c/otel/v1/traces',
    headers: { authorization: `Basic ${btoa('me:p@ss')}` },
  });
});
