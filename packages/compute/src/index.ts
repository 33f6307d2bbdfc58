export { openPool, type Pool, type PoolLoad, type PoolOptions } from './pool.ts'
export { type Ask, type AskOptions, type WhyLost, WorkerLost } from './worker.ts'
