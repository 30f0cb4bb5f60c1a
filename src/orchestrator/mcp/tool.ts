import type { CallToolResult, McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Networks } from './networks.ts';
import type { Outcome } from './run-command.ts';

/** What a tool works with: the commands of this installation, and the devnets that this server started. */
export interface ToolContext {
  readonly networks: Networks;
  /** Runs a command line of `devnet` to its end. */
  run(words: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<Outcome>;
}

/** A tool as its file defines it. Its answer is what a command of `devnet` prints. */
export interface ToolDefinition<Schema extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Schema;
  /** Whether it starts, changes or ends networks, so that the server offers it with `--control` only. */
  readonly controls: boolean;
  /** Longest time (ms) of its command. */
  readonly timeoutMs: number;
  /** Returns the command line behind `devnet`. @throws Failure for a devnet that must be named */
  words(input: z.output<Schema>, networks: Networks): readonly string[];
  /** What to do after an exit code. A code with a text is an answer, and no failure of the tool. */
  readonly next?: Readonly<Partial<Record<number, string>>>;
  /** Called with the outcome of its command. */
  after?(outcome: Outcome, input: z.output<Schema>, networks: Networks): void;
}

/** A tool of the server. */
export interface Tool {
  readonly name: string;
  readonly controls: boolean;
  /** Adds it to a server. */
  offer(server: McpServer, context: ToolContext): void;
}

/** Makes a tool of its definition. */
export function tool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): Tool {
  const { name, title, description, input, controls } = definition;
  return {
    name,
    controls,
    offer(server, context) {
      const inputSchema: StandardSchemaWithJSON = input;
      const config = { title, description, inputSchema, annotations: { readOnlyHint: !controls } };
      server.registerTool(name, config, (values, { mcpReq }) =>
        answer(definition, input.parse(values), context, mcpReq.signal),
      );
    },
  };
}

async function answer<Schema extends z.ZodObject>(
  { words, timeoutMs, next = {}, after }: ToolDefinition<Schema>,
  input: z.output<Schema>,
  { networks, run }: ToolContext,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const outcome = await run(words(input, networks), timeoutMs, signal);
  after?.(outcome, input, networks);
  const { code, text, isLate } = outcome;
  const step = isLate ? undefined : next[code];
  const lines = [
    text.trimEnd(),
    ...(isLate ? [`it took longer than ${timeoutMs / 1000} s and was ended`] : []),
    ...(code === 0 ? [text.trim() === '' ? 'done' : ''] : [`exit code ${code}`]),
    ...(step === undefined ? [] : [`next: ${step}`]),
  ];
  return {
    content: [{ type: 'text', text: lines.filter((line) => line !== '').join('\n') }],
    isError: isLate || (code !== 0 && step === undefined),
  };
}
