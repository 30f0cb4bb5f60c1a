/**
 * Node's HTTP modules, asked for instead of imported, by whoever serves or asks first: a command that does neither need not load them, and an `import`
 * of them evaluates all their exports, among which is a second HTTP client whose loading costs every process a third of its start.
 */
export const http = (): typeof import('node:http') => process.getBuiltinModule('node:http');

/** Like {@link http}, for the first URL that needs it. */
export const https = (): typeof import('node:https') => process.getBuiltinModule('node:https');
