import type { Apis } from '../call.ts'
import { fileApis } from './files.ts'
import { memoryApis } from './memory.ts'
import { moduleApis } from './modules.ts'
import { processApis } from './process.ts'
import { runtimeApis, runtimeArguments } from './runtime.ts'
import { timeApis } from './time.ts'

/** Creates a table without a prototype, since samples choose the names. */
const bare = <T>(...tables: readonly Readonly<Record<string, T>>[]): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null), ...tables)

/** Emulated functions; all others return success. */
export const apis: Apis = bare(memoryApis, moduleApis, processApis, fileApis, timeApis, runtimeApis)

/** Number of arguments of cdecl functions, for the report. */
export const argumentsOf = bare(runtimeArguments)
