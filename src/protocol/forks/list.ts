// All forks (op-core: `forks.All`, `forks.AllOpt`), a line each. Their order is that of `follows`.
export { bedrock } from './bedrock.ts';
export { canyon } from './canyon.ts';
export { delta } from './delta.ts';
export { ecotone } from './ecotone.ts';
export { fjord } from './fjord.ts';
export { granite } from './granite.ts';
export { holocene } from './holocene.ts';
export { isthmus } from './isthmus.ts';
export { jovian } from './jovian.ts';
export { karst } from './karst.ts';
export { pectrablobschedule } from './pectrablobschedule.ts';
export { regolith } from './regolith.ts';
