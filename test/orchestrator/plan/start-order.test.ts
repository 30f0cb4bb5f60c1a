import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadSpec } from '../../../src/orchestrator/load/load-spec.ts';
import { planInputs } from '../../../src/orchestrator/load/plan-inputs.ts';
import { portRequests } from '../../../src/orchestrator/plan/ports.ts';
import { planText } from '../../../src/orchestrator/plan/print/print.ts';
import { planNetwork } from '../../../src/orchestrator/plan/tasks/network.ts';
import type { Event } from '../../../src/orchestrator/state/events.ts';
import { freePort } from '../../system/free-port.ts';
import { Tiny } from '../cli/tiny.ts';
import { program } from '../supervisor/fixture-plan.ts';
import { Supervised } from '../supervisor/supervised.ts';

/** A client that starts after what it `needs`, reads a file, and answers as rpc-node.mjs. */
const client = (kind: string, lines: readonly string[]) =>
  [
    `kind: ${kind}`,
    'implementation: tiny',
    `runs: { process: ${program('rpc-node.mjs')} }`,
    'clock: none',
    'stop: { grace: 1s }',
    ...lines,
  ].join('\n');

const EL = [
  'engineKind: geth',
  'ports: { http: tcp, ws: tcp, engine: tcp }',
  'args: { port: "${port.http}", genesis: "${chain.genesis}" }',
  'ready: [{ tcp: http }]',
];
const CLIENTS: Readonly<Record<string, string>> = {
  'l1-file.yaml': client('l1', [
    'ports: { rpc: tcp }',
    'args: { port: "${port.rpc}", genesis: "${l1.genesis}" }',
    'ready: [{ tcp: rpc }]',
  ]),
  'el-file.yaml': client('el', EL),
  'el-prepared.yaml': client('el', [...EL, 'prepare: [{ command: [--version] }]']),
  'cl-free.yaml': client('cl', [
    'ports: { rpc: tcp, p2p: tcp }',
    'args: { port: "${port.rpc}" }',
    'ready: [{ tcp: rpc }]',
  ]),
  'cl-waits.yaml': client('cl', [
    'needs: { el: ready }',
    'ports: { rpc: tcp, p2p: tcp }',
    'args: { port: "${port.rpc}", rollup: "${chain.rollup}" }',
    'ready: [{ tcp: rpc }]',
  ]),
  'poster.yaml': client('batcher', ['ports: {}', 'args: {}', 'ready: []']),
  'claimer.yaml': client('proposer', ['ports: {}', 'args: {}', 'ready: []']),
};

const SPEC = `version: 1
name: ordered
ports: auto
l1: { client: ./l1-file.yaml, blockTime: 1, beacon: ./beacon.yaml }
chains:
  main:
    blockTime: 1
    batcher: ./poster.yaml
    proposer: ./claimer.yaml
    nodes:
      sequencer: { role: sequencer, el: ./el-file.yaml, cl: ./cl-waits.yaml }
      verifier: { el: ./el-prepared.yaml, cl: ./cl-free.yaml }
`;

/** The tasks in the order in which the supervisor spawned their first process. */
const startsIn = (events: readonly Event[]) => [
  ...new Set(
    events.flatMap((event) =>
      event.event === 'task' && (event.phase === 'preparing' || event.phase === 'starting') ? [event.task] : [],
    ),
  ),
];

it('the supervisor starts a network in the order that the printed plan says', async () => {
  await using tiny = new Tiny();
  for (const [name, text] of Object.entries(CLIENTS)) writeFileSync(join(tiny.folder, name), text);
  const spec = join(tiny.folder, 'ordered.yaml');
  writeFileSync(spec, SPEC);
  const io = {
    stdout: () => undefined,
    stderr: () => undefined,
    env: tiny.env,
    cwd: tiny.folder,
    isTty: false,
  };
  const loaded = await loadSpec(io, { spec, set: [], manual: [] });
  const host = '127.0.0.1';
  const ports: Record<string, number> = {};
  for (const { key } of portRequests(loaded.spec, loaded.clients, { host, port: 0 })) ports[key] = await freePort();
  const plan = await planNetwork(
    loaded.spec,
    loaded.clients,
    planInputs(io, loaded, tiny.home, { hiddenHost: host, ports }),
  );
  const printed = [...planText(plan, new Map()).matchAll(/^ {2}([\w/-]+) \([\w./-]+\)/gm)].map(([, id]) => id);
  expect(printed).toEqual([
    'main/verifier/cl',
    'l1-beacon',
    'main/batcher',
    'main/verifier/el',
    'main/sequencer/el',
    'l1',
    'main/sequencer/cl',
    'main/proposer',
  ]);
  await using supervised = new Supervised(tiny.home);
  supervised.up(plan);
  await supervised.until(() => startsIn(supervised.events).includes('main/proposer'));
  const started = startsIn(supervised.events);
  expect(started).toEqual(printed);
  supervised.order({ kind: 'interrupt' });
  await supervised.end();
});
