export type { Bind, Ended, Limits, Program, Result } from './program.ts'
export { systemBinds } from './program.ts'
export { isRootless } from './rootless.ts'
export type { Running, RunOptions } from './run.ts'
export {
  type FoundRuntime,
  findRuntimes,
  type RuntimeName,
  runtimeNames,
  sandboxNote,
  sandboxProblem,
} from './runtime.ts'
export { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'
