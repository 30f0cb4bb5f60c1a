/**
 * Returns Node's HTTP module, loaded on first use: a command without HTTP need not load it.
 * An `import` evaluates all exports, among them a second HTTP client, which costs every process a third of its start.
 */
export const http = (): typeof import('node:http') => process.getBuiltinModule('node:http');

/** Like {@link http}, for the first URL that needs it. */
export const https = (): typeof import('node:https') => process.getBuiltinModule('node:https');
