export { type HoldOptions, openPool, type Pool, type PoolLoad, type PoolOptions } from './pool.ts'
export { ProgramFailed, type ProgramOptions, runProgram, type StartOptions, type WhyFailed } from './program.ts'
export { readProgram } from './read-program.ts'
export { type Ask, type AskOptions, type WhyLost, WorkerLost } from './worker.ts'
