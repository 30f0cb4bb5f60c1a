import type { EquivalentMutant } from './equivalent.ts';

/** Equivalent mutants of `src/orchestrator/scenario`. */
export const SCENARIO: Readonly<Record<string, readonly EquivalentMutant[]>> = {
  'src/orchestrator/scenario/bounds.ts': [
    {
      line: 'if (above !== undefined && value <= above) return `${written(value)}, not above ${written(above)}`;',
      change: 'above !== undefined ⇒ true',
      reason: 'no number is at most undefined',
    },
    {
      line: 'if (below !== undefined && value >= below) return `${written(value)}, not below ${written(below)}`;',
      change: 'below !== undefined ⇒ true',
      reason: 'no number is at least undefined',
    },
  ],
  'src/orchestrator/scenario/expect/diverge.ts': [
    {
      line: "? { holds: false, because: lacking(expected, first) ?? '', evidence: { divergence: first } }",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'where no divergence fits, the first lacks something',
    },
  ],
  'src/orchestrator/scenario/expect/head.ts': [
    {
      line: 'if (advances !== undefined && number < before + advances)',
      change: 'advances !== undefined ⇒ true',
      reason: 'no number is below a sum with undefined',
    },
    {
      line: 'if (above !== undefined && number <= above) return `${subject} is block ${number}, not above ${above}`;',
      change: 'above !== undefined ⇒ true',
      reason: 'no number is at most undefined',
    },
    {
      line: 'if (below !== undefined && number >= below) return `${subject} is block ${number}, not below ${below}`;',
      change: 'below !== undefined ⇒ true',
      reason: 'no number is at least undefined',
    },
  ],
  'src/orchestrator/scenario/expect/log.ts': [
    {
      line: '} catch {',
      change: '{ return undefined; } ⇒ {}',
      reason: 'a function without a return returns undefined',
    },
  ],
  'src/orchestrator/scenario/facts.ts': [
    {
      line: "nearest: nearest(word ?? '', names),",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'without a name a chain is unknown in a plan without chains alone, where no name is near',
    },
    {
      line: 'const poster = chain?.[kind];',
      change: 'chain?.[kind] ⇒ chain[kind]',
      reason: 'the plan has the chain: knowsChain has said so',
    },
  ],
  'src/orchestrator/scenario/read/step-place.ts': [
    {
      line: "let [list = '', index, ...rest] = path.split('.');",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'a text that is split has a first part',
    },
    {
      line: 'while (index !== undefined && /^\\d+$/.test(index)) {',
      change: 'index !== undefined ⇒ true',
      reason: 'the text of undefined has no digits',
    },
    {
      line: "if (!isInner || !/^\\d+$/.test(rest[below] ?? '')) break;",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'neither text has digits',
    },
    {
      line: "const inner = stepKind(rest[0] ?? '')?.inner;",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'no kind of step has either name',
    },
  ],
  'src/orchestrator/scenario/steps/batcher.ts': [
    {
      line: 'return changeNode(io, run.devnet(), task, { overrides: [], args, da }, { rewind: false, empty: false });',
      change: 'false ⇒ true',
      reason: 'a batcher has no chain to go back',
    },
  ],
  'src/orchestrator/scenario/steps/proposer.ts': [
    {
      line: "return outputEvidence(run, (io) => sayAction(io, run.devnet(), present(action, 'action'), task));",
      change: `'action' ⇒ ""`,
      reason: 'the schema takes an action or a lie: here it is an action',
    },
    {
      line: "if (chain !== undefined && chain.contracts.l1['DisputeGameFactory'] === undefined)",
      change: 'chain !== undefined ⇒ true',
      reason: 'the plan has the chain: the steps have checked it before',
    },
  ],
  'src/orchestrator/scenario/read/references.ts': [
    ...[
      "const [name = '', key = ''] = (match[1] ?? '').split('.');",
      "if (whole !== null) return namedBy(whole[1] ?? '', values);",
      "const [name = '', ...keys] = path.split('.');",
    ].map((line) => ({
      line,
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'a text that the expression matches has its group, a name and a key',
    })),
    {
      line: 'for (const [key, inner] of Object.entries(item)) if (inner !== undefined) visit(inner, [...path, key]);',
      change: 'inner !== undefined ⇒ true',
      reason: 'undefined has no references',
    },
  ],
  'src/orchestrator/scenario/run.ts': [
    {
      line: "return present(receipts[0], 'receipt');",
      change: `'receipt' ⇒ ""`,
      reason: 'a condition holds with a receipt alone, and its failure is thrown before: one is there',
    },
  ],
  'src/orchestrator/scenario/words.ts': [
    {
      line: 'if (value !== undefined && value > 0) return value;',
      change: 'value !== undefined ⇒ true',
      reason: 'undefined is not above 0',
    },
    {
      line: 'decode: () => z.NEVER,',
      change: '() => z.NEVER ⇒ () => undefined',
      reason: 'a step with a reference is read again with its value, and the first value is not used',
    },
    {
      line: 'encode: () => z.NEVER,',
      change: '() => z.NEVER ⇒ () => undefined',
      reason: 'a reference is not written',
    },
    {
      line: 'return z.union([z.codec(choice(...actions), long, { decode: of, encode: () => z.NEVER }), long]);',
      change: '() => z.NEVER ⇒ () => undefined',
      reason: 'an action is not written',
    },
  ],
  'src/orchestrator/scenario/perform/perform-steps.ts': [
    {
      line: `const isCut = first !== 'ended' && first.status === 'failed' && isEnding(devnet());`,
      change: `first !== 'ended' ⇒ true`,
      reason: 'the word has no status that is failed',
    },
    {
      line: `const isCut = first !== 'ended' && first.status === 'failed' && isEnding(devnet());`,
      change: `'ended' ⇒ ""`,
      reason: 'the word has no status that is failed',
    },
  ],
  'src/orchestrator/scenario/perform/perform.ts': [
    {
      line: 'if (step.as !== undefined) values.set(step.as, evidence);',
      change: 'step.as !== undefined ⇒ true',
      reason: 'no reference names undefined',
    },
    {
      line: '} catch {',
      change: '{ return {}; } ⇒ {}',
      reason: 'spreading undefined adds nothing',
    },
  ],
  'src/orchestrator/scenario/perform/problems.ts': [
    {
      line: 'const nodes = plan.network.chains.find(({ name }) => name === chain)?.nodes ?? [];',
      change:
        'plan.network.chains.find(({ name }) => name === chain)?.nodes ⇒ ' +
        'plan.network.chains.find(({ name }) => name === chain).nodes',
      reason: 'the check has read the same plan: it has the chains and the nodes of its divergences',
    },
    {
      line: 'const nodes = plan.network.chains.find(({ name }) => name === chain)?.nodes ?? [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'the check has read the same plan: it has the chains and the nodes of its divergences',
    },
    {
      line: 'const nodes = plan.network.chains.find((each) => each.name === chain)?.nodes;',
      change:
        'plan.network.chains.find((each) => each.name === chain)?.nodes ⇒ ' +
        'plan.network.chains.find(each => each.name === chain).nodes',
      reason: 'the check has read the same plan: it has the chains and the nodes of its divergences',
    },
    {
      line: 'const node = nodes?.find((each) => each.name === name);',
      change: 'nodes?.find ⇒ nodes.find',
      reason: 'the check has read the same plan: it has the chains and the nodes of its divergences',
    },
    {
      line: 'if (node === undefined || subjects.has(node.el.task)) return [];',
      change: 'node === undefined ⇒ false',
      reason: 'the check has read the same plan: it has the chains and the nodes of its divergences',
    },
  ],
  'src/orchestrator/scenario/withdraw.ts': [
    {
      line: 'return { ...definition, rpcUrls: { default: { http: rpcUrls.default.http } }, contracts };',
      change: '{ default: { http: rpcUrls.default.http } } ⇒ {}',
      reason: 'a wallet has its own transport: of the chain, viem reads the contracts',
    },
    {
      line: 'return { ...definition, rpcUrls: { default: { http: rpcUrls.default.http } }, contracts };',
      change: '{ http: rpcUrls.default.http } ⇒ {}',
      reason: 'a wallet has its own transport: of the chain, viem reads the contracts',
    },
  ],
  'src/orchestrator/scenario/node-set.ts': [
    {
      line: "if (!knowsChain(facts, ['chain'], word)) return;",
      change: "!knowsChain(facts, ['chain'], word) ⇒ false",
      reason: 'of an unknown chain the next lines find none, and return',
    },
    {
      line: 'if (chain === undefined) return;',
      change: 'chain === undefined ⇒ false',
      reason: 'the plan has the chain: knowsChain has said so',
    },
    {
      line: "if (place?.node.role === 'sequencer')",
      change: 'place?.node ⇒ place.node',
      reason: 'the plan has the node: knowsNode has said so',
    },
    {
      line: 'else if (place !== undefined) facts.become(withoutNode(facts.plan, place.chain, place.node));',
      change: 'place !== undefined ⇒ true',
      reason: 'the plan has the node: knowsNode has said so',
    },
    {
      line: 'if (model === undefined) return plan;',
      change: 'model === undefined ⇒ false',
      reason: 'a chain has a node, its sequencer, which no step removes',
    },
    {
      line:
        ".map((task): Task => ({ ...task, id: task.kind === 'el' ? ids.el : ids.cl, node: added, launch: " +
        "'spawn' }));",
      change: `'spawn' ⇒ ""`,
      reason: 'the checks ask whether a process is external: it is not',
    },
    {
      line: 'const chain = chainNamed(run.plan(), value.chain)?.name;',
      change: 'chainNamed(run.plan(), value.chain)?.name ⇒ chainNamed(run.plan(), value.chain).name',
      reason: 'the plan has the chain: the check of the step has said so',
    },
  ],
  'src/orchestrator/scenario/read/read.ts': [
    {
      line: "const steps = reader.list(at(shape.value, ['steps']) ?? [], ['steps'], 1);",
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'a scenario without steps is not read so far: the shape needs them',
    },
    {
      line: 'if (!isList(value)) return [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'steps that are no list are a problem of their shape, with which the step around them is left out',
    },
    {
      line: "const hint = names.includes(other ?? '')",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'no kind of step has either name',
    },
    {
      line:
        'const span = other === undefined ? spanAt([this.#layer], path) : keySpanAt([this.#layer], [...path, ' +
        'other]);',
      change: 'other === undefined ⇒ false',
      reason: 'a key that is not there has the place of its map',
    },
    {
      line: "as: typeof as === 'string' ? as : undefined,",
      change: "typeof as === 'string' ⇒ true",
      reason: 'a name that is no text is a problem of the shape, with which the step is left out',
    },
  ],
  'src/orchestrator/scenario/steps/exec.ts': [
    {
      line: 'encode: () => z.NEVER,',
      change: '() => z.NEVER ⇒ () => undefined',
      reason: 'a step is not written',
    },
    {
      line: 'if (stdout !== undefined && patternOf(stdout) === undefined)',
      change: 'stdout !== undefined ⇒ true',
      reason: 'the expression of undefined is one, which matches all',
    },
    {
      line: ': pattern !== undefined && !(patternOf(pattern)?.test(captured.stdout.trim()) ?? false)',
      change: 'pattern !== undefined ⇒ true',
      reason: 'the expression of undefined matches all',
    },
    {
      line: "const last = captured.stderr.trim().split('\\n').at(-1) ?? '';",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'a text that is split has a last part',
    },
    {
      line: '} catch {',
      change: '{ return undefined; } ⇒ {}',
      reason: 'a function without a return returns undefined',
    },
  ],
  'src/orchestrator/scenario/steps/fault.ts': [
    {
      line: 'if (server !== undefined && method !== undefined && answer !== undefined)',
      change:
        'server !== undefined && method !== undefined && answer !== undefined ⇒ server !== undefined && ' +
        'method !== undefined || answer !== undefined',
      reason: 'the schema takes all three of them, or none',
    },
    {
      line: 'if (server !== undefined && method !== undefined && answer !== undefined)',
      change: 'server !== undefined && method !== undefined ⇒ true',
      reason: 'the schema takes all three of them, or none',
    },
    {
      line: 'if (server !== undefined && method !== undefined && answer !== undefined)',
      change: 'server !== undefined && method !== undefined ⇒ server !== undefined || method !== undefined',
      reason: 'the schema takes all three of them, or none',
    },
    {
      line: 'if (server !== undefined && method !== undefined && answer !== undefined)',
      change: 'server !== undefined ⇒ true',
      reason: 'the schema takes all three of them, or none',
    },
    {
      line: 'if (server !== undefined && method !== undefined && answer !== undefined)',
      change: 'method !== undefined ⇒ true',
      reason: 'the schema takes all three of them, or none',
    },
    {
      line: 'if (server !== undefined && method !== undefined && answer !== undefined)',
      change: 'answer !== undefined ⇒ true',
      reason: 'the schema takes all three of them, or none',
    },
  ],
  'src/orchestrator/scenario/steps/l1.ts': [
    {
      line: "if (typeof value === 'object' && value.of !== undefined && !value.of.includes('${'))",
      change: "typeof value === 'object' ⇒ true",
      reason: 'a text has no such key',
    },
    {
      line: "if (typeof value === 'object' && value.finality !== undefined && plan.links === undefined)",
      change: "typeof value === 'object' ⇒ true",
      reason: 'a text has no such key',
    },
    {
      line: "{ of = '', epochs }: Pick<z.output<typeof long>, 'of' | 'epochs'>,",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'heal alone has no target, and reads none',
    },
    {
      line:
        'return { id: await addFault(devnet(), { pool: { action, of, ...(epochs === undefined ? {} : { ' +
        'epochs }) } }) };',
      change: 'epochs === undefined ⇒ false',
      reason: 'the request is JSON, which leaves out what is undefined',
    },
  ],
  'src/orchestrator/scenario/steps/node.ts': [
    {
      line: "const [[action, word] = ['restart', '']] = actionsIn(value);",
      change: "['restart', ''] ⇒ []",
      reason: 'a step has exactly one action',
    },
    {
      line: "const [[action, word] = ['restart', '']] = actionsIn(value);",
      change: `'restart' ⇒ ""`,
      reason: 'a step has exactly one action',
    },
    {
      line: "const [[action, word] = ['restart', '']] = actionsIn(value);",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'a step has exactly one action',
    },
  ],
  'src/orchestrator/scenario/steps/wait.ts': [
    {
      line: 'encode: () => z.NEVER,',
      change: '() => z.NEVER ⇒ () => undefined',
      reason: 'a step is not written',
    },
    {
      line: "const [text = '', at, ...more] = written.split(/ @| +/);",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'a text that is split has a first part',
    },
    {
      line: 'const message = read.error?.issues[0]?.message ?? CONDITION;',
      change: 'read.error?.issues[0]?.message ⇒ read.error?.issues[0].message',
      reason: 'an error of a schema has an issue',
    },
  ],
  'src/orchestrator/scenario/steps/warp.ts': [
    {
      line: 'encode: () => z.NEVER,',
      change: '() => z.NEVER ⇒ () => undefined',
      reason: 'a step is not written',
    },
    {
      line: 'const view = plan.network.chains.find(({ name }) => name === (chain ?? first?.name));',
      change: 'first?.name ⇒ first.name',
      reason: 'a plan has a chain',
    },
    {
      line: 'if (chain === undefined && others.length > 0 && /^(block|fork):/.test(to))',
      change: '/^(block|fork):/ ⇒ /(block|fork):/',
      reason: 'a target has one colon, after its kind',
    },
    {
      line: 'if (view === undefined) return;',
      change: 'view === undefined ⇒ false',
      reason: 'the plan has the chain: knowsChain has said so',
    },
    {
      line: "const [kind, word = ''] = to.split(':');",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'a target without a colon is a time, which has no word',
    },
    {
      line: "if (kind === 'fork' && timeline.movedForks.has(`${view.name} ${word}`)) return;",
      change: "kind === 'fork' ⇒ true",
      reason: 'no fork has a number as its name',
    },
  ],
  'src/orchestrator/scenario/read/load.ts': [
    {
      line: 'if (all.length > 0 || loaded === undefined) throw failureOf(all);',
      change: 'loaded === undefined ⇒ false',
      reason: 'without a devnet there are problems',
    },
    {
      line: 'if (scenario === undefined || all.length > 0) throw failureOf(all);',
      change: 'scenario === undefined ⇒ false',
      reason: 'without a scenario there are problems',
    },
    {
      line: "const more = { allowed, nearest: nearest(devnet ?? '', sampleNames()) };",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'a scenario without the name of a devnet has one of its own, which is not looked for',
    },
  ],
};
