import { EXIT, Failure } from '../../../../system/failure.ts';
import { addNode } from '../../../change/nodes/add-node.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { NODE_OPTIONS } from '../../families/node-command.ts';
import { type CommandDefinition, listOption, type OptionValues, textOption } from '../../input/command.ts';
import { CHAIN_OPTION } from '../../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'node add',
  group: 'change a network',
  summary: 'add a verifier to a running chain: it starts, syncs and stays in the spec of the network',
  examples: [
    'devnet node add late',
    'devnet node add late --el op-geth --cl op-node',
    'devnet node add alone --peers none --set el.args.gcmode=full',
  ],
  exits: { 1: 'the node did not come to agree with the others, and is gone again' },
  arguments: [{ syntax: '<name>', description: 'name of the new node' }],
  options: [
    { flags: '--el <client>', description: 'its execution client; default: that of a verifier in a spec' },
    { flags: '--cl <client>', description: 'its rollup node; default: that of a verifier in a spec' },
    {
      flags: '--peers <nodes>',
      description: 'nodes that it keeps connected, with commas between them, or none; default: as `peers` of the chain',
    },
    { flags: '--follow <node>', description: 'follow the safe and finalized heads of that node in place of deriving' },
    {
      flags: '--set <path=value>',
      description: 'a key of the node as in a spec: el.args.gcmode=full',
      repeatable: true,
    },
    { flags: '--json', description: 'one JSON document' },
    CHAIN_OPTION,
    ...NODE_OPTIONS,
  ],
  async run(io, [name], options) {
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const added = await addNode(io, devnet, {
      name: String(name),
      chain: textOption(options, 'chain'),
      el: textOption(options, 'el'),
      cl: textOption(options, 'cl'),
      peers: peersOf(options),
      follow: textOption(options, 'follow'),
      set: listOption(options, 'set'),
    });
    for (const notice of added.notices) io.stderr(`${notice}\n`);
    if (options['json'] === true) io.stdout(`${JSON.stringify(added, null, 2)}\n`);
    else io.stderr(`${added.node} joined: it agrees with the others on block ${added.head.number}\n`);
    return EXIT.done;
  },
};

/** @throws Failure `usage` (exit 2) if the list has an empty name */
function peersOf(options: OptionValues): readonly string[] | undefined {
  const text = textOption(options, 'peers');
  if (text === undefined || text === 'none') return text === undefined ? undefined : [];
  const peers = text.split(',').map((peer) => peer.trim());
  if (peers.every((peer) => peer !== '')) return peers;
  throw new Failure(
    'usage',
    `--peers: expected names with commas between them, or none; found ${JSON.stringify(text)}`,
    {
      exit: EXIT.usage,
    },
  );
}
