import type { Apis } from '../call.ts'
import { runtimeFunctions } from './runtime.ts'
import { sharedFunctions } from './shared.ts'
import { textFunctions } from './texts.ts'

/** Functions of libraries that do something; all others answer 0. A program may ask for any name. */
export const functions: Apis = Object.assign(Object.create(null), sharedFunctions, textFunctions, runtimeFunctions)
