import { EXIT } from '../../../system/failure.ts';
import { onInterrupt } from '../../../system/program/terminal.ts';
import type { CommandDefinition } from '../input/command.ts';

export const command: CommandDefinition = {
  name: 'mcp',
  group: 'other machines',
  summary: 'serve status, checks, logs and blocks to an agent by the Model Context Protocol, on stdin and stdout',
  examples: ['devnet mcp', 'devnet mcp --control'],
  arguments: [],
  options: [{ flags: '--control', description: 'with the tools that start, change and end networks' }],
  forPrograms: () => true,
  async run({ cwd, env, stderr }, _, options) {
    const { serveMcp } = await import('../../mcp/serve.ts');
    const interrupt = new AbortController();
    const signal = Promise.withResolvers<string>();
    const unfollow = onInterrupt((name) => {
      signal.resolve(name);
      interrupt.abort();
    });
    // The library lists all rules that a message breaks.
    const tell = ({ message }: Error) =>
      stderr(`devnet: MCP: ${message.includes('\n') ? 'received a message that is not JSON-RPC 2.0' : message}\n`);
    await serveMcp({ cwd, env }, options['control'] === true, interrupt.signal, tell);
    unfollow();
    if (!interrupt.signal.aborted) return EXIT.done;
    return (await signal.promise) === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
  },
};
