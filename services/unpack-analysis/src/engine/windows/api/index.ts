import type { Apis } from '../call.ts'
import { fileApis } from './files.ts'
import { memoryApis } from './memory.ts'
import { moduleApis } from './modules.ts'
import { processApis } from './process.ts'
import { runtimeApis, runtimeArguments } from './runtime.ts'
import { timeApis } from './time.ts'

/** Without what every object has: samples choose the names that are looked up. */
const bare = <T>(...tables: readonly Readonly<Record<string, T>>[]): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null), ...tables)

/** Functions that do something; all others say that they did. */
export const apis: Apis = bare(memoryApis, moduleApis, processApis, fileApis, timeApis, runtimeApis)

/** Arguments of functions that leave them to their caller, for the report. */
export const argumentsOf = bare(runtimeArguments)
