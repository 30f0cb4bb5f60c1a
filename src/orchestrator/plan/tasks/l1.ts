import { l1ChainConfig } from '../../../protocol/genesis/index.ts';
import type { ProcessSpec } from '../../spec/schema/types.ts';
import type { Values } from '../../template/references.ts';
import type { Geneses } from '../chain/geneses.ts';
import type { PlanContext } from '../context.ts';
import { GATE, isGated } from '../hidden.ts';
import { deriveSecret } from '../keys.ts';
import { entryOf } from '../lookup.ts';
import type { PlannedFile, Task } from '../plan.ts';
import { HOST } from '../ports.ts';
import { needsOf } from './needs.ts';
import { type PlannedTask, planTask } from './task.ts';
import { networkValues, urlOf } from './values.ts';

/** Name of the port of an L1 whose blocks its beacon node makes by the Engine API. */
const ENGINE = 'engine';

/** What L1 adds to a plan. */
export interface PlannedL1 {
  /** L1 and its beacon node. */
  readonly tasks: readonly Task[];
  readonly files: readonly PlannedFile[];
  readonly notices: readonly string[];
  /** The references that every task may use. */
  readonly values: Values;
  /** Those of its files that other tasks read too. */
  readonly shared: readonly PlannedFile[];
  /** URLs of the server that users see, and of L1 itself. */
  readonly urls: Readonly<Record<'rpc' | 'ws' | 'beacon', string>> & { readonly direct: Readonly<L1Urls> };
}

interface L1Urls {
  readonly rpc: string;
  readonly ws: string;
}

/** Plans L1 and its beacon node. */
export function planL1(context: PlanContext, geneses: Geneses): PlannedL1 {
  const { spec, clients, inputs } = context;
  const gated = isGated(spec, clients);
  const host = gated ? inputs.hiddenHost : HOST;
  const hasEngine = entryOf(clients, spec.l1.client).ports[ENGINE] !== undefined;
  const engine = hasEngine ? urlOf(inputs, 'http', 'l1', ENGINE, host) : undefined;
  const jwt = hasEngine ? jwtOf(context) : undefined;
  const values = networkValues(context, geneses, { host, engine, jwt: jwt?.file.path });
  const shared = [...sharedFiles(context, values, geneses), ...(jwt === undefined ? [] : [jwt.file])];
  const parts = { context, shared, secrets: jwt === undefined ? [] : [jwt.secret] };
  const l1 = planPart('l1', spec.l1, { ...values, host }, parts);
  const beacon = planPart('l1-beacon', spec.l1.beacon, values, parts);
  const direct = { rpc: String(values['l1.http']), ws: String(values['l1.ws']) };
  return {
    tasks: [l1.task, beacon.task],
    files: [...shared, ...l1.files, ...beacon.files],
    notices: [...l1.notices, ...beacon.notices],
    values,
    shared,
    urls: {
      rpc: gated ? urlOf(inputs, 'http', 'l1-beacon', GATE) : direct.rpc,
      ws: gated ? urlOf(inputs, 'ws', 'l1-beacon', GATE) : direct.ws,
      direct,
      beacon: String(values['l1.beacon']),
    },
  };
}

/** Plans the secret of L1's Engine API. */
function jwtOf({ spec, inputs }: PlanContext): { readonly secret: string; readonly file: PlannedFile } {
  const secret = deriveSecret({ seed: spec.seed, devnet: spec.name, chain: '', node: 'l1' }, 'jwt', inputs.hkdf);
  const path = `${inputs.home}/nodes/l1-jwt.hex`;
  return { secret, file: { path, mode: 0o600, secret: true, content: { kind: 'text', text: `${secret}\n` } } };
}

function sharedFiles(
  { spec: { l1 } }: PlanContext,
  values: Values,
  { l1: { inputs } }: Geneses,
): readonly PlannedFile[] {
  return [
    {
      path: String(values['l1.genesis']),
      mode: 0o644,
      secret: false,
      content: { kind: 'l1-genesis', inputs },
    },
    {
      path: String(values['l1.chainConfig']),
      mode: 0o644,
      secret: false,
      content: { kind: 'text', text: `${JSON.stringify(l1ChainConfig(l1.chainId, l1.hardfork), null, 2)}\n` },
    },
  ];
}

interface L1Parts {
  readonly context: PlanContext;
  readonly shared: readonly PlannedFile[];
  readonly secrets: readonly string[];
}

function planPart(
  id: 'l1' | 'l1-beacon',
  process: ProcessSpec,
  values: Values,
  { context: { spec, clients, inputs }, shared, secrets }: L1Parts,
): PlannedTask {
  const template = entryOf(clients, process.client);
  const needs = needsOf(template, { el: 'l1', cl: 'l1' }, template);
  const { onExit } = spec.l1;
  return planTask(
    { id, process, template, values, overrides: {}, secrets, needs, files: shared, onExit, peers: 0 },
    inputs,
  );
}
