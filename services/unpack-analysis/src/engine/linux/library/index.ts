import type { Apis } from '../call.ts'
import { runtimeFunctions } from './runtime.ts'
import { sharedFunctions } from './shared.ts'
import { textFunctions } from './texts.ts'

/** Emulated library functions; all others return 0. Null prototype, since a program may use any name. */
export const functions: Apis = Object.assign(Object.create(null), sharedFunctions, textFunctions, runtimeFunctions)
