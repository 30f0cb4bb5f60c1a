import { EXIT, Failure } from '../../system/failure.ts';
import { allDevnets } from '../devnet/select.ts';
import { homeOf } from '../folder/home.ts';
import { packageImage } from '../load/plan-inputs.ts';
import { closeClients } from '../probe/call.ts';
import { type Planned, withPorts } from '../start/with-ports.ts';
import type { Io } from '../terminal/io.ts';
import { attachedPlan } from './attached-plan.ts';
import { type Joining, joinedNodes, prepareJoin } from './join.ts';
import { readAttachFile } from './read-file.ts';
import type { AttachFile } from './schema.ts';
import { survey } from './survey.ts';

/**
 * Reads the file of a network that runs elsewhere. `name`: in place of that in the file.
 * @throws Failure `attach` (exit 2): a fault of the file; `exists` (exit 2): a devnet has its name
 */
export function attachFile(io: Io, path: string, name: string | undefined): AttachFile {
  const content = readAttachFile(io.cwd, path);
  const file = name === undefined ? content : { ...content, name };
  const holder = allDevnets(io).find(({ paths }) => paths.name === file.name);
  if (holder === undefined) return file;
  throw new Failure('exists', `a devnet of the name ${file.name} exists, and was not changed`, {
    exit: EXIT.usage,
    hint: `choose another name with --name, or run \`devnet down ${file.name}\``,
  });
}

/**
 * Plans the network that a file names and the nodes that join it. Each address has said first that it belongs to it.
 * `supervisor`: the process id of its supervisor here.
 * @throws Failure `attach`: a fault of the network; `spec`: of a node that joins
 */
export async function planAttached(io: Io, file: AttachFile, supervisor: number): Promise<Planned> {
  const answers = await survey(file).finally(closeClients);
  const plan = attachedPlan(file, answers, { home: homeOf(io), image: packageImage() });
  const joining: Joining | undefined = await prepareJoin(io, file, answers);
  return await withPorts(io, file.name, joining?.requests ?? [], supervisor, (ports) => ({
    plan: joining === undefined ? plan : joinedNodes(io, plan, joining, ports),
    spec: () => '',
    fixed: joining === undefined,
  }));
}
