import { EXIT, Failure } from '../../../system/failure.ts';
import { mustBeUp, selectDevnet, viewOf } from '../../devnet/select.ts';
import type { Inspector } from '../../inspect/inspector.ts';
import { type Layer, layersOf } from '../../inspect/layer.ts';
import { readLeaders } from '../../status/leaders.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import type { Io } from '../../terminal/io.ts';
import { type OptionDefinition, type OptionValues, textOption } from './command.ts';

/** Options that say where a block or a transaction is looked for. */
export const PLACE_OPTIONS: readonly OptionDefinition[] = [
  { flags: '--chain <chain>', description: 'a rollup chain, or l1; default: every chain and L1' },
  { flags: '--node <node>', description: 'the node that is asked; default: the sequencer' },
];

/**
 * Shows what the first layer has of a block or a transaction. Returns the exit code.
 * @throws Failure `missing` (exit 1) if no layer has it, `chain` or `node` (exit 2)
 */
export async function showFound<View>(
  io: Io,
  options: OptionValues,
  what: string,
  lines: (view: View) => readonly string[],
  read: (inspector: Inspector, layer: Layer, layers: readonly Layer[]) => Promise<View | undefined>,
): Promise<number> {
  const devnet = selectDevnet(io, textOption(options, 'name'));
  const { plan } = viewOf(devnet);
  const place = { chain: textOption(options, 'chain'), node: textOption(options, 'node') };
  layersOf(plan, place);
  mustBeUp(devnet);
  const layers = layersOf(plan, place, await readLeaders(plan));
  const [{ inspectorOf }, { AbiReader }] = await Promise.all([
    import('../../inspect/inspector.ts'),
    import('../../inspect/abi/abi-reader.ts'),
  ]);
  const inspector = inspectorOf(plan, new AbiReader((message) => io.stderr(`note: ${message}\n`)));
  for (const layer of layers) {
    const view = await read(inspector, layer, layers);
    if (view === undefined) continue;
    if (options['json'] === true) io.stdout(`${JSON.stringify(view, null, 2)}\n`);
    else for (const line of lines(view)) io.stdout(fitToTerminal(io, `${line}\n`));
    return EXIT.done;
  }
  throw new Failure('missing', `no ${what} on ${layers.map(({ label }) => label).join(', ')}`, {
    hint: 'name another place with --chain (a chain, or l1) or --node; a pool may still hold a transaction back',
  });
}
