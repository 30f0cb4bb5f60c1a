import { McpServer } from '@modelcontextprotocol/server';
import { readText } from '../../system/files/folder.ts';
import { packageRoot } from '../../system/program/entry.ts';
import { version } from '../devnet/version.ts';
import { specJsonSchema } from '../spec/schema/spec.ts';
import type { Tool, ToolContext } from './tool.ts';
import * as registry from './tool-registry.ts';

const TOOLS: readonly Tool[] = Object.values(registry);

const INSTRUCTIONS =
  'Local networks of OP-Stack rollups: several nodes of different clients per chain, L1 included. ' +
  'Read the resource devnet://skill before you look for the cause of a divergence. ' +
  'A spec is a YAML file that holds devnet://spec-schema. Answers are what the command line prints; ' +
  'a command in backticks in them has a tool of the same name here.';

/** Makes a server of our tools and resources. `controls`: with the tools that start, change and end networks. */
export function makeServer(context: ToolContext, controls: boolean): McpServer {
  const info = { name: 'rollup-devnet', title: 'rollup-devnet', version: version() };
  const server = new McpServer(info, { instructions: INSTRUCTIONS });
  for (const tool of TOOLS) if (controls || !tool.controls) tool.offer(server, context);
  addResource(server, 'spec-schema', 'JSON schema of a spec', 'application/schema+json', () =>
    JSON.stringify(specJsonSchema()),
  );
  addResource(server, 'skill', 'How to find the cause of a failure', 'text/markdown', skill);
  return server;
}

function addResource(server: McpServer, name: string, title: string, mimeType: string, text: () => string): void {
  server.registerResource(name, `devnet://${name}`, { title, mimeType }, async ({ href: uri }) => ({
    contents: [{ uri, mimeType, text: text() }],
  }));
}

/** Returns what an agent should do with a failure of a network. */
export function skill(): string {
  return readText(`${packageRoot()}/docs/SKILL.md`) ?? '';
}
