export { openPool, type Pool, type PoolLoad, type PoolOptions } from './pool.ts'
export { ProgramFailed, type ProgramOptions, runProgram, type WhyFailed } from './program.ts'
export { type Ask, type AskOptions, type WhyLost, WorkerLost } from './worker.ts'
