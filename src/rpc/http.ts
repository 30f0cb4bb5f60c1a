/**
 * Returns Node's HTTP module, loaded on first use: a command without HTTP need not load it.
 * An `import` evaluates all exports, among them a second HTTP client, which costs every process a third of its start.
 */
export const http = (): typeof import('node:http') => process.getBuiltinModule('node:http');

/** Like {@link http}, for the first URL that needs it. */
export const https = (): typeof import('node:https') => process.getBuiltinModule('node:https');

let direct: import('node:http').Agent | undefined;

/**
 * Returns the agent for a URL of this machine, undefined for any other.
 * Node's own agent takes the proxy of `NODE_USE_ENV_PROXY`, which cannot reach this machine.
 */
export function directAgent(url: string): import('node:http').Agent | undefined {
  if (!/^http:\/\/(127\.|localhost[:/]|\[::1\])/.test(url)) return undefined;
  direct ??= new (http().Agent)({ keepAlive: true });
  return direct;
}
