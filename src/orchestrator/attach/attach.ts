import { EXIT, Failure } from '../../system/failure.ts';
import { allDevnets } from '../devnet/select.ts';
import { homeOf } from '../folder/home.ts';
import { packageImage } from '../load/make-plan.ts';
import { closeClients } from '../probe/call.ts';
import type { Planned } from '../start/planning.ts';
import type { Io } from '../terminal/io.ts';
import { attachedPlan } from './attached-plan.ts';
import { readAttachFile } from './read-file.ts';
import { survey } from './survey.ts';

/**
 * Plans the network that a file names, after each of its addresses has said that it belongs to it.
 * @throws Failure `attach`: a fault of the file or of the network; `exists` (exit 2): a devnet has its name
 */
export async function planAttached(io: Io, path: string, name: string | undefined): Promise<Planned> {
  const written = readAttachFile(io.cwd, path);
  const file = name === undefined ? written : { ...written, name };
  const holder = allDevnets(io).find(({ paths }) => paths.name === file.name);
  if (holder !== undefined)
    throw new Failure('exists', `a devnet of the name ${file.name} exists, and was not changed`, {
      exit: EXIT.usage,
      hint: `choose another name with --name, or run \`devnet down ${file.name}\``,
    });
  const answers = await survey(file).finally(closeClients);
  const plan = attachedPlan(file, answers, { home: homeOf(io), image: packageImage() });
  return { plan, spec: () => '', rendered: {}, fixed: true };
}
